/** Requests and answers of runs. */
import { Type, type Static } from 'plugboard/sdk';
import { Variables } from '../examples/schema.js';

const Name = Type.String({ minLength: 1, maxLength: 500, pattern: '\\S' });

export const RunBody = Type.Object(
  {
    versions: Type.Optional(
      Type.Array(Type.Union([Type.Integer({ minimum: 1 }), Type.String({ minLength: 1, maxLength: 64 })]), {
        minItems: 1,
        maxItems: 10,
        description: 'numbers or labels; left out, the newest',
      }),
    ),
    models: Type.Optional(
      Type.Array(Name, {
        minItems: 1,
        maxItems: 10,
        description: 'upstream/model, or names of routes; left out, that of each version',
      }),
    ),
    variables: Type.Optional(Variables),
  },
  {
    title: 'PresetRun',
    description:
      'each version is asked of each model with each example of the preset, or with `variables` alone',
    examples: [{ versions: [1, 'production'], models: ['fast'], variables: { country: 'Korea' } }],
  },
);
export type RunInput = Static<typeof RunBody>;

const Cost = Type.Union([Type.Number(), Type.Null()], {
  description: 'US dollars; null where no price is known',
});
const Passed = Type.Union([Type.Boolean(), Type.Null()], { description: 'null: there is no verdict' });

export const RunAnswer = Type.Object(
  {
    version: Type.Integer(),
    model: Type.String(),
    example: Type.Integer({ description: 'its place among the examples, from 0' }),
    variables: Variables,
    text: Type.String(),
    cut: Type.Boolean({ description: 'the answer is longer than what is kept of it' }),
    error: Type.Union([Type.Object({ code: Type.String(), message: Type.String() }), Type.Null()]),
    passed: Passed,
    checks: Type.Array(Type.Object({ kind: Type.String(), passed: Passed, reason: Type.String() })),
    ms: Type.Integer({ description: 'milliseconds until the answer was there' }),
    tokens_in: Type.Integer(),
    tokens_out: Type.Integer(),
    estimated: Type.Boolean({ description: 'the upstream did not say all of the tokens' }),
    cost: Cost,
    judge_cost: Cost,
  },
  { title: 'PresetRunAnswer' },
);
export type RunAnswer = Static<typeof RunAnswer>;

const Summary = Type.Object(
  {
    version: Type.Integer(),
    model: Type.String(),
    answers: Type.Integer(),
    failed: Type.Integer({ description: 'calls without an answer' }),
    checked: Type.Integer({ description: 'answers with a verdict' }),
    passed: Type.Integer(),
    ms: Type.Union([Type.Integer(), Type.Null()], { description: 'of an answer, on average' }),
    tokens_in: Type.Integer(),
    tokens_out: Type.Integer(),
    cost: Cost,
  },
  { title: 'PresetRunSummary' },
);
export type Summary = Static<typeof Summary>;

export const Run = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    preset: Type.String({ format: 'uuid' }),
    state: Type.Union([Type.Literal('running'), Type.Literal('done'), Type.Literal('stopped')], {
      description: 'stopped: the caller left, time was up, or the server went away',
    }),
    done: Type.Integer({ description: 'answers that are there' }),
    total: Type.Integer(),
    started_at: Type.String({ format: 'date-time' }),
    ended_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
    cost: Cost,
    summary: Type.Array(Summary, { description: 'of each version with each model, the best first' }),
  },
  { title: 'PresetRunHead' },
);
export type RunHead = Static<typeof Run>;

export const RunWithAnswers = Type.Intersect([Run, Type.Object({ answers: Type.Array(RunAnswer) })], {
  title: 'PresetRunResult',
});
export type RunWithAnswers = Static<typeof RunWithAnswers>;

export const RunList = Type.Object({ runs: Type.Array(Run) }, { title: 'PresetRunList' });
