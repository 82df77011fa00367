/** The JSON Schema of the config file, for editors: the file's own keys and those of every known plugin. */
import type { PluginDefinition } from '../../kernel/sdk/plugin.js';
import { EntryKeys, FileConfig } from '../../kernel/config/shape.js';

export interface KnownPlugins {
  /** By slot, then by name. */
  readonly providers: Readonly<Record<string, Readonly<Record<string, PluginDefinition>>>>;
  readonly plugins: Readonly<Record<string, PluginDefinition>>;
}

/** Draft 2020-12. Text may hold `${...}`, so numbers and booleans also accept an expression. */
export function configFileSchema(known: KnownPlugins): object {
  const { properties } = FileConfig;
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Plugboard configuration',
    type: 'object',
    required: ['version'],
    additionalProperties: false,
    properties: {
      version: plain(properties.version),
      server: withExpressions(plain(properties.server)),
      log: plain(properties.log),
      providers: {
        type: 'object',
        additionalProperties: false,
        properties: mapValues(known.providers, (fillers) => ({
          anyOf: [
            { type: 'null' },
            ...Object.entries(fillers).map(([name, definition]) => entrySchema(definition, name)),
            foreignEntry(),
          ],
        })),
      },
      plugins: {
        type: 'object',
        description: 'The key is the id of the instance; a key that is present is enabled.',
        properties: mapValues(known.plugins, (definition, name) => ({
          description: definition.summary,
          anyOf: [{ type: 'null' }, entrySchema(definition, name), foreignEntry()],
        })),
        additionalProperties: {
          anyOf: [
            ...Object.entries(known.plugins).map(([name, definition]) => entrySchema(definition, name, true)),
            foreignEntry(),
          ],
        },
      },
    },
  };
}

/** An entry that is filled by the plugin `name`; `named` when the key does not say so and `use` must. */
function entrySchema(definition: PluginDefinition, name: string, named = false): object {
  const own = plain(definition.config);
  return {
    ...own,
    required: named ? ['use'] : [],
    properties: {
      ...withExpressions(plain(EntryKeys)).properties,
      ...withExpressions(own).properties,
      use: { const: name },
    },
  };
}

/** An entry whose plugin the schema does not know: a path or a package. */
function foreignEntry(): object {
  return {
    type: 'object',
    required: ['use'],
    properties: { use: { type: 'string', pattern: '^\\.{0,2}/|^@?[\\w-]+' } },
  };
}

interface JsonSchema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly [keyword: string]: unknown;
}

/** Numbers and booleans may be written as an expression; nothing that has a default is required. */
function withExpressions(schema: JsonSchema): JsonSchema {
  if (schema.type === 'object') {
    const { required: _, ...rest } = schema;
    return {
      ...rest,
      ...(schema.properties && { properties: mapValues(schema.properties, withExpressions) }),
    };
  }
  if (schema.type === 'array' && schema.items !== undefined)
    return { ...schema, items: withExpressions(schema.items) };
  if (schema.type === 'integer' || schema.type === 'number' || schema.type === 'boolean') {
    const { description, default: fallback, ...rest } = schema;
    return { description, default: fallback, anyOf: [rest, { type: 'string', pattern: '\\$\\{' }] };
  }
  return schema;
}

function mapValues<V, R>(
  record: Readonly<Record<string, V>>,
  map: (value: V, key: string) => R,
): Record<string, R> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value, key)]));
}

/** TypeBox marks its schemas with hidden members; JSON has none. */
function plain(schema: object): JsonSchema {
  return JSON.parse(JSON.stringify(schema)) as JsonSchema;
}
