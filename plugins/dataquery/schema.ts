/** The plugin's config, and the response of its management route. */
import { Type, type Static } from 'plugboard/sdk';

export const configSchema = Type.Object(
  {
    catalog: Type.String({
      file: true,
      description:
        'The file that declares schemas, relations and functions (YAML or JSON); relative to the config file',
    }),
    rows: Type.Optional(
      Type.String({
        file: true,
        description:
          'A JSON file of rows that are loaded into empty relations: { "schema.relation": [row, ...] }',
      }),
    ),
    unmigrated: Type.Union([Type.Literal('stop'), Type.Literal('serve')], {
      default: 'stop',
      description:
        'What a start does when the catalog file needs a migration. stop: it says so and ends. serve: it serves with the old catalog',
    }),
    auth: Type.Union([Type.Literal('none'), Type.Literal('bearer')], {
      default: 'bearer',
      description:
        'bearer: reading needs an API key with the scope data:read, writing one with data:write. none: everything is open',
    }),
    maxRows: Type.Integer({
      minimum: 1,
      default: 1_000,
      description: 'The most rows that one level of an answer holds, per parent below the root',
    }),
    maxReadRows: Type.Integer({
      minimum: 1,
      default: 250_000,
      description: 'The most rows that one request reads for its answer, of all levels together',
    }),
    maxAnswer: Type.Integer({
      minimum: 1_000,
      default: 50_000_000,
      description: 'The most characters of one answer',
    }),
    maxTime: Type.Integer({
      minimum: 1,
      default: 8_000,
      description:
        'The milliseconds that the processor may work for one request, and those that it may wait for a database, apart',
    }),
    maxFilters: Type.Integer({
      minimum: 1,
      default: 500,
      description:
        'The most conditions of one request; a regular expression or a full text search counts as ten',
    }),
    maxWriteRows: Type.Integer({
      minimum: 1,
      default: 2_000,
      description:
        'The most rows that one request writes: of its body, or found by its filters, and what goes with them by foreign keys',
    }),
    maxWrite: Type.Integer({
      minimum: 1_000,
      default: 10_000_000,
      description: 'The most characters of the rows that one request stores, changes or deletes',
    }),
    maxCharacters: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1e12,
        description:
          'The most characters that the rows of one table hold together. Default: as many as there is room for',
      }),
    ),
    maxDepth: Type.Integer({
      minimum: 0,
      default: 12,
      description: 'How deep resources may be embedded in each other',
    }),
    maxEmbeds: Type.Integer({
      minimum: 0,
      default: 50,
      description: 'How many resources one request may embed',
    }),
    aggregates: Type.Boolean({
      default: false,
      description: 'Whether avg, count, max, min and sum may be selected',
    }),
    txEnd: Type.Union(
      [
        Type.Literal('commit'),
        Type.Literal('commit-allow-override'),
        Type.Literal('rollback'),
        Type.Literal('rollback-allow-override'),
      ],
      {
        default: 'commit-allow-override',
        description: 'How a write ends, and whether `Prefer: tx=commit` or `tx=rollback` may say otherwise',
      },
    ),
    realtime: Type.Boolean({
      default: false,
      description: 'Whether supabase-js may subscribe to changes by its WebSocket, `realtime/v1/websocket`',
    }),
    maxSubscriptions: Type.Integer({
      minimum: 1,
      default: 1_000,
      description: 'The most subscriptions to changes that one instance has open at a time',
    }),
    maxSubscriptionsPerCaller: Type.Integer({
      minimum: 1,
      default: 100,
      description:
        'Of them, those of one person, of the keys of one tenant, or of one address that has no credential or a publishable key',
    }),
    openapi: Type.Boolean({
      default: true,
      description: "Whether GET on the root and the server's OpenAPI document describe the relations",
    }),
  },
  { additionalProperties: false },
);

export type DataqueryConfig = Static<typeof configSchema>;

export const ReloadResult = Type.Object(
  {
    schemas: Type.Integer(),
    relations: Type.Integer(),
    functions: Type.Integer(),
    warnings: Type.Array(Type.String()),
  },
  { title: 'LoadedCatalog' },
);
