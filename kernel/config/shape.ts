/** The shape of the config file: its own keys, and how an entry of `providers` or `plugins` is taken apart. */
import { Type, type Static } from '../sdk/typebox.js';

const closed = { additionalProperties: false } as const;

/** Node's timers fire at once for more milliseconds than this. */
const LONGEST_TIMER = 2 ** 31 - 1;

const milliseconds = (normally: number, what: string, minimum = 1) =>
  Type.Integer({
    minimum,
    maximum: LONGEST_TIMER,
    default: normally,
    description: `${what}, in milliseconds.`,
  });

/** An address, a network, or a name that the proxy library knows. */
const ADDRESSES =
  '^(loopback|linklocal|uniquelocal|[0-9]{1,3}\\.[0-9]{1,3}\\.[0-9]{1,3}\\.[0-9]{1,3}(/[0-9]{1,2})?|[0-9a-fA-F]{0,4}:[0-9a-fA-F:.]{1,40}(/[0-9]{1,3})?)$';

export const ServerConfig = Type.Object(
  {
    host: Type.String({
      default: '127.0.0.1',
      description: 'Address to listen on; 0.0.0.0 for every interface.',
    }),
    port: Type.Integer({
      minimum: 0,
      maximum: 65535,
      default: 8080,
      description: 'Port to listen on; 0 for any free one.',
    }),
    bodyLimit: Type.Integer({
      minimum: 1,
      default: 1024 * 1024,
      description: 'Largest request body, in bytes, of routes that do not set a limit of their own.',
    }),
    trustProxy: Type.Union(
      [Type.Boolean(), Type.Array(Type.String({ pattern: ADDRESSES }), { minItems: 1 })],
      {
        default: false,
        description:
          'Addresses and networks (10.0.0.0/8, loopback, linklocal, uniquelocal) of the proxies whose X-Forwarded-* headers are believed; true: whoever connects.',
      },
    ),
    tls: Type.Optional(
      Type.Object(
        {
          cert: Type.String({
            minLength: 1,
            description: 'PEM file of the certificate, with those between it and the root.',
          }),
          key: Type.String({ minLength: 1, description: 'PEM file of the private key.' }),
        },
        { ...closed, description: 'Serve https with these files, which are read again when they change.' },
      ),
    ),
    operations: Type.Object(
      {
        open: Type.Boolean({
          default: false,
          description:
            'Show metrics, API documentation and the details of readiness to everybody, also where the server is reached from other machines. Else they ask for management.',
        }),
      },
      { ...closed, default: {}, description: 'Who may see what the server says of itself.' },
    ),
    allowedHosts: Type.Array(Type.String(), {
      default: [],
      description:
        'Host names that a server on 127.0.0.1 answers to, besides localhost and addresses; "*" for any. Keeps out web pages whose host name points at this machine (DNS rebinding).',
    }),
    cors: Type.Object(
      {
        origins: Type.Array(Type.String(), {
          default: [],
          description: 'Origins that browsers may call from; "*" for all. None: no CORS headers.',
        }),
      },
      { ...closed, default: {}, description: 'Cross-origin requests of browsers.' },
    ),
    pressure: Type.Object(
      {
        eventLoopDelay: Type.Integer({
          minimum: 0,
          default: 1000,
          description:
            'Answer 503 while the event loop lags more than this, in milliseconds; 0 turns it off.',
        }),
      },
      { ...closed, default: {}, description: 'What the server does when it has too much to do.' },
    ),
    maxUnread: Type.Integer({
      minimum: 1_000_000,
      default: 268_435_456,
      description:
        'The most characters or bytes of answers that wait for clients that read slowly, of all clients together; beyond that the client that has waited longest is cut off.',
    }),
    requestTimeout: milliseconds(300_000, 'How long a client may take to send a request'),
    setupTimeout: milliseconds(60_000, 'How long one plugin may take to set up or start'),
    stopDelay: Type.Integer({
      minimum: 0,
      maximum: 60_000,
      default: 0,
      description:
        'How long a stop goes on serving while /-/ready answers 503, in milliseconds: time for load balancers to send requests elsewhere.',
    }),
    drainTimeout: milliseconds(10_000, 'How long a stop waits for requests in flight', 0),
    releaseTimeout: milliseconds(5_000, 'How long one release may take while stopping'),
  },
  { ...closed, default: {}, description: 'Where the server listens, and how it treats connections.' },
);
export type ServerConfig = Static<typeof ServerConfig>;

export const LogConfig = Type.Object(
  {
    level: Type.Enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
      default: 'info',
      description: 'The least severe lines that are written.',
    }),
    format: Type.Enum(['auto', 'json', 'text'], {
      default: 'auto',
      description: 'auto: text on a terminal, JSON lines elsewhere.',
    }),
  },
  { ...closed, default: {}, description: 'The log of the server.' },
);
export type LogConfig = Static<typeof LogConfig>;

const entry = (description?: string) =>
  Type.Union([Type.Null(), Type.Object({}, { additionalProperties: true })], {
    ...(description !== undefined && { description }),
  });

/** `/`, or segments of unreserved characters (RFC 3986 2.3), which no client encodes. */
export const PREFIX = '^(/|(/[\\w.~-]+)+)$';

/** Everything but the contents of the entries, which their plugins' schemas check. */
export const FileConfig = Type.Object(
  {
    version: Type.Literal(1, { description: 'Version of this file format.' }),
    server: ServerConfig,
    log: LogConfig,
    providers: Type.Object(
      {
        storage: Type.Optional(entry('Where everything durable is kept: embedded (a folder) or mongodb.')),
        auth: Type.Optional(entry('Who may call: API keys, users, and sessions of management.')),
        directory: Type.Optional(entry('The people and organizations that all plugins refer to.')),
        secrets: Type.Optional(entry('The keys that seal secrets at rest.')),
        jobs: Type.Optional(entry('Work that is done later, or takes long.')),
        audit: Type.Optional(entry('Who did what to the server.')),
        errors: Type.Optional(entry('The shapes in which errors are answered.')),
      },
      {
        ...closed,
        default: {},
        description: 'What fills the slots of the server; one that is not named has its defaults.',
      },
    ),
    plugins: Type.Record(Type.String({ pattern: '^[a-z][a-z0-9-]*$' }), entry(), {
      additionalProperties: false,
      default: {},
      description: 'an id has lower case letters, digits and dashes, and starts with a letter',
    }),
  },
  closed,
);
export type FileConfig = Static<typeof FileConfig>;

/** Keys of an entry that are the kernel's and not the plugin's. */
export const EntryKeys = Type.Object(
  {
    use: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'A built-in name, a path relative to this file, or an npm package.',
      }),
    ),
    enabled: Type.Boolean({ default: true, description: 'False leaves the plugin out.' }),
    prefix: Type.Optional(
      Type.String({
        pattern: PREFIX,
        description:
          'Path under which the routes are mounted, in place of the plugin\'s own; "/" for the root.',
      }),
    ),
    optional: Type.Boolean({
      default: false,
      description: 'True: the server also starts when this plugin fails.',
    }),
  },
  closed,
);
export type EntryKeys = Static<typeof EntryKeys>;

export const RESERVED_KEYS: readonly string[] = Object.keys(EntryKeys.properties);

/** Splits an entry into the kernel's keys and the plugin's own. */
export function splitEntry(entry: Readonly<Record<string, unknown>> | null): {
  kernel: Record<string, unknown>;
  own: Record<string, unknown>;
} {
  const pairs = Object.entries(entry ?? {});
  return {
    kernel: Object.fromEntries(pairs.filter(([key]) => RESERVED_KEYS.includes(key))),
    own: Object.fromEntries(pairs.filter(([key]) => !RESERVED_KEYS.includes(key))),
  };
}
