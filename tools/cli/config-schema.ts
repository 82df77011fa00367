/** The JSON Schema of the config file, for editors: the file's own keys and those of the plugins it may name. */
import {
  mapParts,
  modernSchema,
  withoutNeedlessRequired,
  type JsonSchema,
} from '../../kernel/config/json-schema.js';
import { EntryKeys, FileConfig } from '../../kernel/config/shape.js';
import type { PluginDefinition } from '../../kernel/sdk/plugin/plugin.js';

/** By `use`. */
type Definitions = Readonly<Record<string, PluginDefinition>>;

export interface KnownSlot {
  /** The default. */
  readonly default: string;
  readonly fillers: Definitions;
}

export interface KnownPlugins {
  readonly slots: Readonly<Record<string, KnownSlot>>;
  readonly builtins: Definitions;
  /** Those of others, which a config file names. */
  readonly foreign: Definitions;
}

/** Draft 2020-12. Any scalar may be an expression `${...}`, and nothing that has a default is required. */
export function configFileSchema({ slots, builtins, foreign }: KnownPlugins): object {
  const { version, server, log, providers, plugins } = modernSchema(FileConfig).properties ?? {};
  const plugged = { ...builtins, ...foreign };
  const slotted = Object.assign({}, ...Object.values(slots).map(({ fillers }) => fillers)) as Definitions;
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Plugboard configuration',
    type: 'object',
    required: ['version'],
    additionalProperties: false,
    properties: {
      version,
      server: forEditors(server!),
      log: forEditors(log!),
      providers: {
        ...providers,
        properties: mapValues(slots, ({ fillers, default: fallback }, slot) => {
          const { description } = providers?.properties?.[slot] ?? {};
          return entry({ description, names: Object.keys({ ...fillers, ...foreign }), fallback });
        }),
      },
      plugins: {
        type: 'object',
        description: `The key is the id of the instance, and one that is present is enabled; ${plugins?.description}.`,
        propertyNames: { pattern: Object.keys(plugins?.patternProperties ?? {})[0] },
        properties: mapValues(builtins, ({ summary }, name) =>
          entry({ description: summary, names: Object.keys(plugged), fallback: name }),
        ),
        additionalProperties: entry({ names: Object.keys(plugged) }),
      },
    },
    $defs: {
      expression: { type: 'string', pattern: '\\$\\{' },
      ...mapValues({ ...plugged, ...slotted }, pluginSchema),
    },
  };
}

const { description: USE = '' } = modernSchema(EntryKeys.properties.use);

/** An entry has the schema of the plugin that its `use`, or else its key, names; for an unknown plugin, any. */
function entry(of: { description?: string | undefined; names: string[]; fallback?: string }): JsonSchema {
  const { description, names, fallback } = of;
  const named = { type: 'object', required: ['use'] };
  const uses = (name: string) => ({ ...named, properties: { use: { const: name } } });
  const chosen = names.map((name) => when(uses(name), reference(name)));
  const otherwise =
    fallback === undefined
      ? { ...named, properties: { use: { description: USE, anyOf: [{ enum: names }, { type: 'string' }] } } }
      : when({ not: named }, reference(fallback));
  return { ...(description !== undefined && { description }), allOf: [...chosen, otherwise] };
}

function when(condition: JsonSchema, schema: JsonSchema): JsonSchema {
  // oxlint-disable-next-line unicorn/no-thenable -- the keyword of JSON Schema
  return { if: condition, then: schema };
}

function reference(name: string): JsonSchema {
  // `~` and `/` of a path are escaped in a JSON pointer, and the pointer is part of a URI.
  const pointer = name.replaceAll('~', '~0').replaceAll('/', '~1');
  return { $ref: `#/$defs/${encodeURIComponent(pointer)}` };
}

/** An entry without a value has every default; it may be left empty when nothing is required. */
function pluginSchema({ config, summary }: PluginDefinition, name: string): JsonSchema {
  const own = forEditors(modernSchema(config));
  const keys = forEditors(modernSchema(EntryKeys));
  const use = { ...keys.properties?.['use'], const: name };
  return {
    ...own,
    ...(summary !== undefined && { description: summary }),
    type: own.required === undefined ? ['object', 'null'] : 'object',
    properties: { ...keys.properties, ...own.properties, use },
  };
}

function forEditors(schema: JsonSchema): JsonSchema {
  return withoutNeedlessRequired(withExpressions(schema));
}

/** A scalar may be written as an expression; of a union the union, not each of its members. */
function withExpressions(schema: JsonSchema): JsonSchema {
  const { anyOf } = schema;
  if (anyOf?.some(isBoundScalar) === true) {
    const members = anyOf.map((one) => (isBoundScalar(one) ? one : withExpressions(one)));
    return { ...schema, anyOf: [...members, EXPRESSION] };
  }
  if (!isBoundScalar(schema)) return mapParts(schema, withExpressions);
  const is = (wanted: boolean) =>
    Object.fromEntries(Object.entries(schema).filter(([keyword]) => ABOUT.has(keyword) === wanted));
  return { ...is(true), anyOf: [is(false), EXPRESSION] };
}

/** Keywords about a member, not its value. */
const ABOUT: ReadonlySet<string> = new Set(['description', 'default', 'deprecated']);

const EXPRESSION: JsonSchema = { $ref: '#/$defs/expression' };

/** A scalar that an expression does not satisfy: any but plain text. */
function isBoundScalar(schema: JsonSchema): boolean {
  const { type } = schema;
  if (type === 'object' || type === 'array' || type === 'null') return false;
  if (type !== 'string') return type !== undefined || schema.enum !== undefined || schema.const !== undefined;
  return ['enum', 'const', 'pattern', 'format', 'maxLength'].some((keyword) => keyword in schema);
}

function mapValues<V, R>(
  record: Readonly<Record<string, V>>,
  map: (value: V, key: string) => R,
): Record<string, R> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value, key)]));
}
