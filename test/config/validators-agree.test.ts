/** TypeBox, which checks configs at a start, and ajv, which explains their problems, agree on every schema of the server. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Value } from '../../kernel/sdk/typebox.js';
import { compileSchema } from '../../kernel/config/compile.js';
import { fillDefaults } from '../../kernel/config/defaults.js';
import { EntryKeys, FileConfig } from '../../kernel/config/shape.js';
import type { PluginDefinition } from '../../kernel/sdk/plugin/plugin.js';
import { builtins } from '../../plugins/index.js';

interface Schema {
  readonly type?: string;
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly required?: readonly string[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly minItems?: number;
}

const WRONG = [
  null,
  true,
  -1,
  0,
  1.5,
  1e300,
  '',
  'a',
  'A.b/c',
  '한글',
  '\u{1f600}',
  'x'.repeat(300),
  'https://example.com',
  [],
  ['a', 'a'],
  {},
  { a: 1 },
];

/** Texts that some pattern takes. */
const TEXTS = ['mongodb://127.0.0.1/plugboard', 'https://example.com/v1', '1d', '0'.repeat(64)];

/** A small value that the schema takes, as far as its keywords tell. */
function example(schema: Schema): unknown {
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const [branch] = schema.anyOf ?? [];
  if (branch !== undefined) return example(branch);
  const { properties = {}, required = [], items, pattern = '', minLength = 1, minItems = 0 } = schema;
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(required.map((key) => [key, example(properties[key] ?? {})]));
    case 'array':
      return items === undefined ? [] : Array.from({ length: minItems }, () => example(items));
    case 'string':
      return (
        TEXTS.find((text) => pattern !== '' && new RegExp(pattern, 'u').test(text)) ?? 'a'.repeat(minLength)
      );
    case 'integer':
    case 'number':
      return schema.minimum ?? (schema.exclusiveMinimum ?? 0) + 1;
    case 'boolean':
      return true;
    default:
      return null;
  }
}

/** Values for the schema, right and wrong: each part of it in turn is replaced, left out, or given a key too many. */
function* variants(schema: Schema, depth = 0): Generator<unknown> {
  const base = example(schema);
  yield base;
  // Deep down there are many members of the same few types.
  yield* depth < 3 ? [...WRONG, ...TEXTS] : [null, -1, 'A.b/c', {}];
  for (const branch of schema.anyOf ?? []) yield* variants(branch, depth + 1);
  if (schema.items !== undefined) for (const item of variants(schema.items, depth + 1)) yield [item];
  for (const [key, inner] of Object.entries(schema.properties ?? {})) {
    const { [key]: _, ...rest } = base as Record<string, unknown>;
    yield rest;
    for (const member of variants(inner, depth + 1)) yield { ...rest, [key]: member };
  }
  for (const inner of [...Object.values(schema.patternProperties ?? {}), schema.additionalProperties ?? {}]) {
    if (typeof inner !== 'object') yield { ...(base as object), unknown_key: 1 };
    else if (inner.type !== undefined)
      for (const member of variants(inner, depth + 1)) yield { name: member };
  }
}

const schemas: [string, object][] = [
  ['the file', FileConfig],
  ['an entry', EntryKeys],
];
const load = async (all: Readonly<Record<string, () => Promise<{ readonly default: unknown }>>>) => {
  for (const [name, one] of Object.entries(all))
    schemas.push([name, ((await one()).default as PluginDefinition).config]);
};
await load(builtins.plugins);
for (const { fillers } of Object.values(builtins.providers)) await load(fillers);

for (const [name, schema] of schemas) {
  test(`on the config of ${name}`, () => {
    const validate = compileSchema(schema);
    let [fine, refused] = [0, 0];
    for (const variant of variants(schema as Schema)) {
      const [ours, theirs] = [structuredClone(variant), structuredClone(variant)];
      fillDefaults(schema, ours);
      const isFine = Value.Errors(schema, ours).length === 0;
      assert.equal(validate(theirs), isFine, JSON.stringify(variant));
      if (isFine) assert.deepEqual(ours, theirs, 'the same defaults');
      if (isFine) fine += 1;
      else refused += 1;
    }

    assert.ok(fine > 0 && refused > 0, `${fine} fine, ${refused} refused`);
  });
}
