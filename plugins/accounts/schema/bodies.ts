/** Request bodies of the routes of accounts. */
import { Type, type Static } from 'plugboard/sdk';
import { configuration } from './configuration.js';
import { CONFIGURATIONS, DASHBOARDS, INCLUDES, LOCALES, type Include } from './enums.js';
import { currency, group, list, metadata, mustOneOf, oneOf, text, updateOnly, type Mode } from './fields.js';
import { identity } from './identity.js';

const COLLECTORS = ['service', 'application', 'stripe'] as const;

const payoutMethods = () =>
  Type.Optional(
    Type.Unsafe<Record<string, string | null> | null>({
      type: ['object', 'null'],
      maxProperties: 50,
      propertyNames: { pattern: '^[A-Za-z]{3}$' },
      additionalProperties: { type: ['string', 'null'], maxLength: 200 },
      description: 'payout method by currency; "" unsets',
    }),
  );

const defaults = (mode: Mode) =>
  group({
    currency: currency(),
    locales: list(mustOneOf(LOCALES), 20),
    profile: group({
      business_url: text(2_000),
      doing_business_as: text(),
      product_description: text(40_000),
    }),
    responsibilities: group({
      fees_collector: mustOneOf(COLLECTORS),
      losses_collector: mustOneOf(COLLECTORS),
    }),
    timezone: text(100),
    ...updateOnly(mode, { payout_methods: payoutMethods() }),
  });

const include = () =>
  Type.Array(Type.Unsafe<Include>({ type: 'string', enum: [...INCLUDES] }), { maxItems: 50 });

const EXAMPLES = {
  create: {
    title: 'Account',
    examples: [{ contact_email: 'kim@example.com', configuration: { customer: {} } }],
  },
  update: { title: 'AccountUpdate', examples: [{ display_name: 'Kim', metadata: { plan: 'basic' } }] },
};

const accountBody = (mode: Mode) =>
  Type.Object(
    {
      account_token: Type.Optional(Type.String({ maxLength: 500 })),
      configuration: configuration(mode),
      contact_email: text(),
      contact_phone: text(50),
      dashboard: oneOf(DASHBOARDS),
      defaults: defaults(mode),
      display_name: text(),
      identity: identity(mode),
      include: Type.Optional(include()),
      metadata: metadata(),
    },
    { additionalProperties: false, ...EXAMPLES[mode] },
  );

export const CreateBody = accountBody('create');
export const UpdateBody = accountBody('update');

/** The body of an update, a superset of that of a new account. */
export type AccountBody = Static<typeof UpdateBody>;

export const CloseBody = Type.Object(
  {
    applied_configurations: Type.Optional(Type.Array(mustOneOf(CONFIGURATIONS), { maxItems: 10 })),
  },
  {
    title: 'AccountToClose',
    examples: [{ applied_configurations: ['customer'] }],
    additionalProperties: false,
  },
);

export type CloseBody = Static<typeof CloseBody>;

export const TokenBody = Type.Object(
  {
    contact_email: text(),
    contact_phone: text(50),
    display_name: text(),
    identity: identity('create'),
  },
  { title: 'AccountToken', examples: [{ contact_email: 'kim@example.com' }], additionalProperties: false },
);

export const RetrieveQuery = Type.Object(
  { include: Type.Optional(include()) },
  { additionalProperties: false },
);

export const ListQuery = Type.Object(
  {
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
    page: Type.Optional(
      Type.String({ maxLength: 500, description: 'from next_page_url or previous_page_url' }),
    ),
    applied_configurations: Type.Optional(Type.Array(mustOneOf(CONFIGURATIONS), { maxItems: 10 })),
    closed: Type.Optional(Type.Boolean()),
    contact_email: Type.Optional(
      Type.String({ minLength: 1, maxLength: 500, description: 'in any letter case' }),
    ),
  },
  {
    // `metadata[team]=blue`
    patternProperties: { '^metadata\\[.{1,40}\\]$': Type.String({ maxLength: 500 }) },
    maxProperties: 15,
    additionalProperties: false,
  },
);
export type ListRequest = Static<typeof ListQuery>;

export const AccountId = Type.Object({ id: Type.String() });
