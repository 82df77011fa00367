/** The config of the router. */
import { Type, type Static } from 'plugboard/sdk';
import { Allowance } from './allowances/schema.js';
import { CacheConfig } from './cache/schema.js';
import { GuardsConfig } from './guards/schema.js';
import { OwnPrice } from './money/schema.js';
import { TextsConfig } from './texts/schema.js';

const Milliseconds = (value: number, description: string) =>
  Type.Integer({ minimum: 1, maximum: 86_400_000, default: value, description });

export const STRATEGIES = ['priority', 'weighted', 'round-robin', 'least-used', 'p2c'] as const;

/** In what way a request does not fit a model or its limits. */
export type Unfit = 'context' | 'unsupported' | 'content_filter';

/** What an HTTP header can carry: a key that was pasted with its line end would fail every call. */
const KEY = '^[!-~]*$';

const DeclaredModel = Type.Union([
  Type.String({ minLength: 1 }),
  Type.Object(
    {
      name: Type.String({ minLength: 1, description: 'the name that the upstream knows it by' }),
      kind: Type.Optional(
        Type.Union([Type.Literal('chat'), Type.Literal('embedding'), Type.Literal('rerank')], {
          description: 'what it is for; default: what its name tells',
        }),
      ),
      dimensions: Type.Optional(Type.Integer({ minimum: 1, description: 'length of its embeddings' })),
    },
    { additionalProperties: false },
  ),
]);

export const UpstreamConfig = Type.Object(
  {
    name: Type.String({
      pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$',
      description: 'the part before the slash in upstream/model',
    }),
    dialect: Type.Union(
      [Type.Literal('openai'), Type.Literal('anthropic'), Type.Literal('gemini'), Type.Literal('azure')],
      { default: 'openai', description: 'what it speaks; openai is any OpenAI-compatible server' },
    ),
    wire: Type.Union([Type.Literal('chat'), Type.Literal('responses')], {
      default: 'chat',
      description:
        'of openai and azure: the API that conversations go to, chat completions or Responses, which newer models ask for when tools and reasoning meet',
    }),
    baseUrl: Type.Optional(
      Type.String({
        pattern: '^https?://[^@?#]+(\\?[^@#]*)?$',
        description:
          "the address under which /chat/completions is found, without user and password; of the other dialects the host's; a query is sent with each call. anthropic and gemini have their vendor's by default",
      }),
    ),
    apiVersion: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9._-]+$',
        description:
          'azure: sent as api-version, and models are deployments in the path; left out, its v1 API is used. anthropic: sent as anthropic-version where the client does not say it',
      }),
    ),
    apiKey: Type.Optional(
      Type.String({
        pattern: KEY,
        secret: true,
        description: 'leave it out for an upstream that needs none',
      }),
    ),
    apiKeys: Type.Optional(
      Type.Array(Type.String({ pattern: KEY }), {
        secret: true,
        description: 'several keys, used in turn; one that is at its limit rests while the others go on',
      }),
    ),
    headers: Type.Record(
      Type.String({ pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$" }),
      Type.String({ pattern: '^[ -~]*$' }),
      {
        secret: true,
        default: {},
        description: 'sent with each call, e.g. OpenAI-Organization, HTTP-Referer or api-key',
      },
    ),
    ca: Type.Optional(
      Type.String({
        description: "PEM certificates that the upstream's own must be signed by, e.g. ${file:ca.pem}",
      }),
    ),
    models: Type.Optional(
      Type.Array(DeclaredModel, {
        description: 'the models it serves; left out, any name is passed on and the list is asked for',
      }),
    ),
    streamUsage: Type.Boolean({
      default: true,
      description:
        'ask for token counts in streams (stream_options.include_usage); false for servers that refuse it',
    }),
  },
  { additionalProperties: false },
);

const RouteConfig = Type.Object(
  {
    strategy: Type.Union(
      STRATEGIES.map((name) => Type.Literal(name)),
      { default: 'priority', description: 'which target is asked first; the others follow when it fails' },
    ),
    targets: Type.Array(
      Type.Union([
        Type.String({ pattern: '^[^/]+/.+$' }),
        Type.Object(
          {
            model: Type.String({ pattern: '^[^/]+/.+$', description: 'upstream/model' }),
            weight: Type.Optional(Type.Number({ exclusiveMinimum: 0, description: 'default: 1' })),
          },
          { additionalProperties: false },
        ),
      ]),
      { minItems: 1, description: 'upstream/model, in order of preference; weight counts for "weighted"' },
    ),
    fallbackOn: Type.Array(
      Type.Union([Type.Literal('context'), Type.Literal('unsupported'), Type.Literal('content_filter')]),
      {
        default: ['context', 'unsupported'],
        uniqueItems: true,
        description:
          'what sends a request to the next target though the request is at fault: it is too long for a model or for a limit (context), has a parameter that the model does not know (unsupported), or was filtered (content_filter)',
      },
    ),
  },
  { additionalProperties: false },
);

const Timeouts = Type.Object(
  {
    interceptors: Milliseconds(
      30_000,
      'for other plugins to see a chat before it is sent, e.g. to add memories; then they are told to end',
    ),
    connect: Milliseconds(5_000, 'until the connection is open'),
    headers: Milliseconds(600_000, 'until the answer begins; without streaming that is when it is finished'),
    firstToken: Milliseconds(180_000, "until a stream's first event; each comment resets it"),
    idle: Milliseconds(120_000, 'between two pieces of an answer'),
    total: Milliseconds(
      1_200_000,
      'for the whole call, failover included; a stream that has begun goes on as long as it delivers',
    ),
  },
  { additionalProperties: false, default: {}, description: 'how long a call may take, in milliseconds' },
);

export const Config = Type.Object(
  {
    upstreams: Type.Array(UpstreamConfig, {
      default: [],
      description: 'servers that speak the OpenAI API',
    }),
    routes: Type.Record(Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$' }), RouteConfig, {
      default: {},
      description: 'names that clients use as a model',
    }),
    timeouts: Timeouts,
    breaker: Type.Object(
      {
        failures: Type.Integer({
          minimum: 1,
          default: 5,
          description: 'failures in a row of a model with one key that open its circuit',
        }),
        reset: Milliseconds(
          30_000,
          'until one call is let through again; doubled up to eightfold while it fails',
        ),
      },
      { additionalProperties: false, default: {}, description: 'when a failing model is left alone' },
    ),
    cooldown: Type.Object(
      {
        base: Milliseconds(
          3_000,
          'how long a model rests with a key after 429 without Retry-After; doubled each time',
        ),
        max: Milliseconds(300_000, 'the longest rest, also for what Retry-After asks'),
      },
      {
        additionalProperties: false,
        default: {},
        description: 'how long a model rests that says it is at its limit',
      },
    ),
    maxAttempts: Type.Integer({
      minimum: 1,
      maximum: 100,
      default: 6,
      description: 'calls to upstreams for one call',
    }),
    maxBodyBytes: Type.Integer({
      minimum: 1_024,
      maximum: 268_435_456,
      default: 10_485_760,
      description: 'the largest body that a client may send: chats carry pictures and documents',
    }),
    maxUploadBytes: Type.Integer({
      minimum: 1_024,
      maximum: 268_435_456,
      default: 26_214_400,
      description: 'the largest form with a recording that a client may send',
    }),
    maxAnswerBytes: Type.Integer({
      minimum: 1_024,
      default: 33_554_432,
      description: 'the largest answer, and the largest event of a stream, that is taken from an upstream',
    }),
    prices: Type.Record(Type.String({ minLength: 1 }), OwnPrice, {
      default: {},
      description:
        'prices by upstream/model, * for any run of characters, before those that vendors publish; the first that fits holds',
    }),
    allowances: Type.Record(Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$' }), Allowance, {
      default: {},
      description: 'who may call which models, and how much; all that are about a caller hold together',
    }),
    maxStreams: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'streams of all callers that may be open at the same time, at each instance',
      }),
    ),
    reserve: Type.Object(
      {
        input: Type.Integer({ minimum: 1, default: 200_000, description: 'tokens of a request at most' }),
        output: Type.Integer({
          minimum: 1,
          default: 4_096,
          description: 'tokens of an answer at most, also where the client asks for more',
        }),
      },
      {
        additionalProperties: false,
        default: {},
        description:
          'what is set aside of tokens and budgets while a call runs; afterwards it counts what it took',
      },
    ),
    guards: GuardsConfig,
    cache: Type.Optional(CacheConfig),
    texts: Type.Optional(TextsConfig),
    usage: Type.Object(
      {
        keepDays: Type.Integer({
          minimum: 1,
          default: 90,
          description: 'how long the record of each call is kept; the totals of each day stay',
        }),
      },
      { additionalProperties: false, default: {}, description: 'the records of calls' },
    ),
  },
  { additionalProperties: false },
);

export type RouterConfig = Static<typeof Config>;
export type UpstreamSettings = RouterConfig['upstreams'][number];
export type StrategyName = (typeof STRATEGIES)[number];
