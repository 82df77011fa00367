/** External objects that an account may refer to, from the config or from a test helper. */
import { Type, type Static } from 'plugboard/sdk';

export const FIXTURE_KINDS = [
  'account_token',
  'file',
  'invoice_rendering_template',
  'payment_method',
  'payout_method',
  'person',
  'v1_account',
] as const;
export type FixtureKind = (typeof FIXTURE_KINDS)[number];

const id = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 200, description }));
const flag = (description: string) => Type.Optional(Type.Boolean({ description }));
const name = () => Type.Optional(Type.String({ maxLength: 500, description: 'person' }));

export const Fixture = Type.Object(
  {
    kind: Type.Unsafe<FixtureKind>({ type: 'string', enum: [...FIXTURE_KINDS], description: 'what it is' }),
    id: Type.String({ minLength: 1, maxLength: 200, description: 'what accounts name it by' }),
    account: id('payout_method, person: the account that it belongs to'),
    archived: flag('invoice_rendering_template'),
    attached_to: id('payment_method: the account that it is attached to'),
    connect_compatible: flag('payout_method; default true'),
    currencies: Type.Optional(
      Type.Array(Type.String({ pattern: '^[a-z]{3}$' }), {
        maxItems: 200,
        description: 'payout_method; default: usd',
      }),
    ),
    date_of_birth: Type.Optional(
      Type.Object(
        {
          day: Type.Integer({ description: 'from 1' }),
          month: Type.Integer({ description: 'from 1' }),
          year: Type.Integer({ description: 'four digits' }),
        },
        { additionalProperties: false, description: 'person' },
      ),
    ),
    deleted: flag('file'),
    detached: flag('payment_method'),
    expires_at: Type.Optional(Type.String({ format: 'date-time', description: 'account_token' })),
    given_name: name(),
    migratable: flag('v1_account: it can become an account of this version'),
    of: Type.Optional(
      Type.Unsafe<'account' | 'person'>({
        type: 'string',
        enum: ['account', 'person'],
        description: 'account_token: its contents',
      }),
    ),
    percent_ownership: Type.Optional(
      Type.String({ pattern: '^[0-9]{1,3}(\\.[0-9]{1,6})?$', description: 'person' }),
    ),
    purpose: Type.Optional(Type.String({ maxLength: 100, description: 'file' })),
    surname: name(),
    type: Type.Optional(Type.String({ maxLength: 100, description: 'payment_method; default card' })),
    used: flag('account_token'),
  },
  {
    title: 'AccountFixture',
    examples: [{ kind: 'file', id: 'file_logo', purpose: 'business_logo' }],
    additionalProperties: false,
  },
);
export type FixtureData = Static<typeof Fixture>;
