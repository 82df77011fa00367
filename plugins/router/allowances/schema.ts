/** Allowances, in the config and by API. */
import { Type, type Static } from 'plugboard/sdk';

/** Beyond it no count is exact. */
const MOST = 1_000_000_000_000;

const Globs = (description: string, more: object = {}) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 100, description, ...more });
const Who = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 200, description }));

/** Who may call which models, and how much. */
export const Allowance = Type.Object(
  {
    key: Who('the ids or names of API keys, * for any run of characters; each key is counted by itself'),
    tenant: Who('tenants, * for any run of characters; what belongs to one is counted together'),
    person: Who('people, as usage records name them, e.g. user:7; each is counted by itself'),
    models: Type.Optional(
      Globs('the models and routes that may be called, e.g. openai/gpt-5*; left out, all of them'),
    ),
    limits: Type.Array(
      Type.Object(
        {
          models: Globs('the models and routes that count in it', { default: ['*'] }),
          requests: Type.Optional(Type.Integer({ minimum: 0, maximum: MOST, description: 'a minute' })),
          tokens: Type.Optional(
            Type.Integer({ minimum: 0, maximum: MOST, description: 'a minute, read and written' }),
          ),
        },
        { additionalProperties: false },
      ),
      { default: [], maxItems: 20, description: 'requests and tokens a minute' },
    ),
    streams: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 1_000_000,
        description: 'streams that may be open at the same time, at each instance',
      }),
    ),
    budget: Type.Optional(
      Type.Object(
        {
          usd: Type.Number({ minimum: 0, maximum: 1_000_000, description: 'US dollars' }),
          per: Type.Union([Type.Literal('day'), Type.Literal('month')], {
            default: 'month',
            description: 'in UTC',
          }),
          warnAt: Type.Number({
            minimum: 0,
            maximum: 1,
            default: 0.8,
            description: 'the part that is told, once, when it is used: in the log, and as a change',
          }),
        },
        { additionalProperties: false, description: 'what may be spent' },
      ),
    ),
  },
  {
    title: 'Allowance',
    additionalProperties: false,
    examples: [{ key: 'intern-*', models: ['openai/gpt-5-*'], budget: { usd: 20 } }],
  },
);
export type AllowanceRule = Static<typeof Allowance>;
