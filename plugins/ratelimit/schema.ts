/** The config, and the answer of `GET /rate_limit`. */
import { Type, type Static } from 'plugboard/sdk';

const strict = { additionalProperties: false } as const;

export const UNLIMITED = 'unlimited';

const Bound = (description: string, value: number | typeof UNLIMITED) =>
  Type.Union([Type.Integer({ minimum: 0, maximum: 1_000_000_000 }), Type.Literal(UNLIMITED)], {
    description,
    default: value,
  });

interface Defaults {
  readonly window: number;
  /** Users, applications and API keys. */
  readonly known: number | typeof UNLIMITED;
  readonly address: number | typeof UNLIMITED;
}

const bounds = ({ window, known, address }: Defaults) => ({
  window: Type.Integer({
    minimum: 1,
    maximum: 86_400,
    default: window,
    description: 'Seconds from the first request until the count starts over.',
  }),
  user: Bound('Requests of a user in a window, whatever token or session is used.', known),
  app: Bound('Requests of an application in a window.', known),
  key: Bound('Requests of an API key in a window.', known),
  address: Bound('Requests without a credential, by address, in a window.', address),
});

const SAYS = {
  core: 'Routes that ask for a limit and name no other category.',
  search: 'Searches; no built-in route.',
  graphql: 'GraphQL; no built-in route.',
  integration_manifest: 'Manifests of integrations; no built-in route.',
  code_scanning_upload: 'Uploads of code scans; no built-in route.',
  chat: 'Chats of the router, and improve-prompt of the playground.',
  memory: 'Entries and retrieval of the memory.',
  data: 'Requests of dataquery.',
};

const Category = (name: keyof typeof SAYS, defaults: Defaults) =>
  Type.Object(bounds(defaults), { ...strict, default: {}, description: SAYS[name] });

const NONE: Defaults = { window: 60, known: UNLIMITED, address: UNLIMITED };

const Categories = Type.Object(
  {
    core: Category('core', { window: 3600, known: 5000, address: 60 }),
    search: Category('search', { window: 60, known: 30, address: 10 }),
    graphql: Category('graphql', { window: 3600, known: 5000, address: 0 }),
    integration_manifest: Category('integration_manifest', { window: 3600, known: 5000, address: 5000 }),
    code_scanning_upload: Category('code_scanning_upload', { window: 3600, known: 500, address: 500 }),
    chat: Type.Object(
      { ...bounds(NONE), tokens: Bound('Tokens of an API key in a window.', UNLIMITED) },
      { ...strict, default: {}, description: SAYS.chat },
    ),
    memory: Category('memory', NONE),
    data: Category('data', NONE),
  },
  { ...strict, default: {}, description: 'The limits of each category of requests.' },
);

const own = (description: string) =>
  Type.Optional(Type.Union([Type.Integer({ minimum: 0 }), Type.Literal(UNLIMITED)], { description }));
const ownBounds = (name: keyof typeof SAYS) =>
  Type.Optional(
    Type.Object({ requests: own('Requests in a window.') }, { ...strict, description: SAYS[name] }),
  );
const OwnCategories = Type.Object(
  {
    core: ownBounds('core'),
    search: ownBounds('search'),
    graphql: ownBounds('graphql'),
    integration_manifest: ownBounds('integration_manifest'),
    code_scanning_upload: ownBounds('code_scanning_upload'),
    chat: Type.Optional(
      Type.Object(
        { requests: own('Requests in a window.'), tokens: own('Tokens in a window.') },
        { ...strict, description: SAYS.chat },
      ),
    ),
    memory: ownBounds('memory'),
    data: ownBounds('data'),
  },
  strict,
);

export const Config = Type.Object(
  {
    active: Type.Boolean({
      default: true,
      description: 'False: nothing is counted, and GET /rate_limit answers 404.',
    }),
    categories: Categories,
    keys: Type.Record(Type.String({ minLength: 1, maxLength: 100 }), OwnCategories, {
      default: {},
      description:
        'Other limits for API keys, by their name or id: { importer: { data: { requests: 100 } } }.',
    }),
    secondary: Type.Object(
      {
        concurrent: Type.Integer({
          minimum: 1,
          default: 100,
          description: 'Requests of one caller at a time, on each instance.',
        }),
        points: Type.Integer({
          minimum: 5,
          default: 900,
          description: 'Points of one caller in a minute: a read costs 1, a write 5.',
        }),
      },
      { ...strict, default: {}, description: 'Secondary limits of routes that speak the github dialect.' },
    ),
    lease: Type.Integer({
      minimum: 10,
      maximum: 60_000,
      default: 1000,
      description:
        'Milliseconds for which an instance may hold part of a busy limit without asking the store.',
    }),
  },
  strict,
);
export type Config = Static<typeof Config>;

/** A category's name in routes and the config. */
export type CategoryName = keyof Config['categories'];

const Status = Type.Object({
  limit: Type.Integer(),
  remaining: Type.Integer(),
  reset: Type.Integer({ description: 'Seconds since the Unix epoch.' }),
  used: Type.Integer(),
});
export type Status = Static<typeof Status>;

export const RateLimitAnswer = Type.Object(
  {
    resources: Type.Object({
      core: Status,
      search: Status,
      graphql: Status,
      integration_manifest: Status,
      code_scanning_upload: Status,
    }),
    rate: Type.Object(Status.properties, { deprecated: true, description: 'The same as `resources.core`.' }),
  },
  { title: 'RateLimits' },
);
export type RateLimitAnswer = Static<typeof RateLimitAnswer>;

const CATEGORY_NAMES = Object.keys(SAYS) as CategoryName[];
const CategoryOf = Type.Enum(CATEGORY_NAMES);

export const StandingsQuery = Type.Object(
  {
    category: Type.Optional(CategoryOf),
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
  },
  strict,
);
export type StandingsQuery = Static<typeof StandingsQuery>;

const Requests = (of: string) =>
  Type.Union([Type.Integer(), Type.Null()], {
    description: `requests of ${of} in a window; null: not limited`,
  });
const Standing = Type.Object(
  {
    category: CategoryOf,
    unit: Type.Enum(['requests', 'tokens']),
    kind: Type.Enum(['user', 'app', 'key', 'address']),
    id: Type.String(),
    label: Type.String({ description: 'the name of the key, the login, or the address' }),
    used: Type.Integer(),
    limit: Type.Integer(),
    remaining: Type.Integer(),
    window: Type.Integer({ description: 'seconds' }),
    reset: Type.String({ format: 'date-time', description: 'when the count starts over' }),
  },
  { title: 'LimitStanding' },
);
export type Standing = Static<typeof Standing>;

export const StandingsAnswer = Type.Object(
  {
    categories: Type.Array(
      Type.Object({
        name: CategoryOf,
        window: Type.Integer({ description: 'seconds' }),
        user: Requests('a user'),
        app: Requests('an application'),
        key: Requests('an API key without limits of its own'),
        address: Requests('an address without a credential'),
        tokens: Type.Union([Type.Integer(), Type.Null()], {
          description: 'tokens of an API key in a window; null: not limited',
        }),
      }),
    ),
    callers: Type.Array(Standing, { description: 'whose window runs, the fullest first' }),
  },
  { title: 'LimitStandings' },
);
export type StandingsAnswer = Static<typeof StandingsAnswer>;
