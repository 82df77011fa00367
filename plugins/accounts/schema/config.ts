/** The plugin's config: platforms, their fixtures, and limits. */
import { Type, type Static } from 'plugboard/sdk';
import { CONFIGURATIONS, type ConfigurationName } from './enums.js';
import { Fixture } from './fixture.js';

const on = (description: string) => Type.Boolean({ default: true, description });
const off = (description: string) => Type.Boolean({ default: false, description });
const literals = <const V extends string>(values: readonly [V, ...V[]], description: string) =>
  Type.Unsafe<V>({ type: 'string', enum: [...values], default: values[0], description });

/** What a platform may do and has done. Every default is healthy: it causes no refusal. */
export const PlatformSettings = Type.Object(
  {
    country: Type.String({
      pattern: '^[A-Z]{2}$',
      default: 'US',
      description: 'where the platform is, as two letters (ISO 3166-1)',
    }),
    accounts_v2: literals(['enabled', 'blocked'], 'whether the platform may use this API'),
    connect: literals(['onboarded', 'not_onboarded'], 'whether the platform has signed up for Connect'),
    non_connect_min_version: Type.String({
      pattern: '^\\d{4}-\\d{2}-\\d{2}$',
      default: '2025-01-01',
      description: 'the oldest version that a platform without Connect may use',
    }),
    activated: on('the platform may create merchants and recipients'),
    status: literals(['ok', 'invalid', 'rejected'], 'the standing of the platform'),
    dormant: off('the platform may not create accounts whose requirements it collects'),
    identity_verified: on('the platform has verified its identity'),
    profile_submitted: on('the platform has submitted its profile'),
    acknowledged: Type.Object(
      {
        losses: on('it acknowledged liability for losses'),
        requirements: on('and for collecting requirements'),
      },
      { additionalProperties: false, default: {}, description: 'what the platform has taken on' },
    ),
    features: Type.Object(
      { ua_beta: off('unified accounts beta'), private_preview: off('controllers in private preview') },
      { additionalProperties: false, default: {}, description: 'previews that the platform takes part in' },
    ),
    allowed_configurations: Type.Array(
      Type.Unsafe<ConfigurationName>({ type: 'string', enum: [...CONFIGURATIONS] }),
      {
        default: [...CONFIGURATIONS],
        maxItems: 10,
        description: 'configurations that its accounts may have',
      },
    ),
    cross_border: Type.Union(
      [Type.Literal('*'), Type.Array(Type.Tuple([Type.String(), Type.String()]), { maxItems: 1_000 })],
      { default: '*', description: 'pairs of platform country and account country; "*" allows all' },
    ),
    token_mandated_countries: Type.Array(Type.String(), {
      default: ['FR'],
      maxItems: 300,
      description: 'countries of platforms that may create accounts only with an account token',
    }),
    require_tos_before_merchant: off('terms of service must be accepted before the merchant configuration'),
    require_persons: off('companies must name their representative and their owners'),
    require_contact_email: off('merchants and recipients need a contact_email'),
    blocked_recipient_email_domains: Type.Array(Type.String(), {
      default: [],
      maxItems: 1_000,
      description: 'domains of addresses that no recipient may have',
    }),
    configuration_dependencies: Type.Record(Type.String(), Type.Array(Type.String()), {
      default: {},
      description: 'a configuration and those that it cannot do without: { merchant: [customer] }',
    }),
  },
  { additionalProperties: false },
);
export type Settings = Static<typeof PlatformSettings>;

const Platform = Type.Object(
  {
    keys: Type.Array(Type.String({ minLength: 1 }), {
      default: [],
      description: 'names or ids of the API keys that belong to it',
    }),
    livemode: off('test helpers and test clocks are for test mode alone'),
    settings: {
      ...PlatformSettings,
      default: {},
      description: 'what it is allowed and has done',
    } as typeof PlatformSettings,
    fixtures: Type.Array(Fixture, { default: [], description: 'what its accounts may refer to' }),
  },
  { additionalProperties: false },
);

export const Config = Type.Object(
  {
    defaultVersion: Type.String({
      pattern: '^\\d{4}-\\d{2}-\\d{2}\\.[a-z_]+$',
      default: '2026-10-28.endive',
      description: 'the version of a request that names none',
    }),
    limits: Type.Object(
      {
        concurrency: Type.Integer({
          minimum: 0,
          maximum: 10_000,
          default: 20,
          description: 'requests at a time for one account; updates are counted over all instances',
        }),
        creations: Type.Integer({
          minimum: 0,
          maximum: 10_000,
          default: 200,
          description: 'creations at a time for one platform, on each instance',
        }),
        testClockAccounts: Type.Integer({
          minimum: 1,
          default: 3,
          description: 'accounts on one test clock',
        }),
      },
      {
        additionalProperties: false,
        default: {},
        description: 'what one account, platform or test clock may take',
      },
    ),
    accountLinkMinutes: Type.Integer({
      minimum: 1,
      maximum: 1_440,
      default: 10,
      description: 'minutes in which an account link can be opened',
    }),
    testClockAdvance: Type.Integer({
      minimum: 0,
      maximum: 3_600_000,
      default: 1_000,
      description: 'milliseconds for which a test clock is advancing',
    }),
    defaultPlatform: {
      ...PlatformSettings,
      default: {},
      description: 'the settings of the platform "default"',
    } as typeof PlatformSettings,
    platforms: Type.Record(Type.String({ pattern: '^[a-z0-9][a-z0-9_-]*$' }), Platform, {
      default: {},
      description:
        'keys that none of them names belong to the platform "default", which has `defaultPlatform`',
    }),
  },
  { additionalProperties: false },
);
export type AccountsConfig = Static<typeof Config>;
