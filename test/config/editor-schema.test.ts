/** The JSON Schema for editors: valid, complete in words, and no stricter than the server. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { definePlugin, Type } from 'plugboard/sdk';
import { configFileSchema } from '../../tools/cli/config-schema.js';
import { knownPlugins } from '../../tools/cli/known.js';

interface Schema {
  readonly description?: string;
  readonly required?: readonly string[];
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly [keyword: string]: unknown;
}

/** Every part of a schema that names members, with its path. */
function* objectsIn(value: unknown, path = ''): Generator<[string, Schema]> {
  if (typeof value !== 'object' || value === null) return;
  const schema = value as Schema;
  if (typeof schema.properties === 'object') yield [path, schema];
  for (const [keyword, part] of Object.entries(schema)) {
    // Data, and conditions, which only look at a key.
    if (['default', 'enum', 'const', 'examples', 'if'].includes(keyword)) continue;
    yield* objectsIn(part, `${path}/${keyword}`);
  }
}

/** Members without a description, and required ones with a default. */
function faults(schema: object): string[] {
  return [...objectsIn(schema)].flatMap(([path, { properties = {}, required = [] }]) => [
    ...Object.entries(properties)
      .filter(([name, { description = '' }]) => description.length < 4 && name !== '$schema')
      .map(([name]) => `${path}/${name} has no description`),
    ...required
      .filter((name) => properties[name]?.default !== undefined)
      .map((name) => `${path}/${name} has a default and is required`),
  ]);
}

const known = await knownPlugins();

function validator(schema: object): (value: unknown) => boolean {
  const ajv = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false, strictTuples: false });
  addFormats.default(ajv);
  return ajv.compile(schema);
}

test('the schema is valid in draft 2020-12, with no keyword that the draft does not have', () => {
  const isValid = validator(configFileSchema(known));
  assert.ok(isValid({ version: 1, log: { level: 'info' }, server: { cors: {} } }));
  assert.ok(!isValid({ version: 1, log: { levle: 'info' } }));
});

test('every member of every config has a description, and none that has a default is required', () => {
  assert.deepEqual(faults(configFileSchema(known)), []);
});

test('a config member without a description is found', () => {
  const config = Type.Object(
    { a: Type.Array(Type.Object({ b: Type.String() })) },
    { additionalProperties: false },
  );
  const wordless = definePlugin({ name: 'wordless', api: 1, config, setup: () => ({}) });
  const found = faults(configFileSchema({ ...known, foreign: { wordless } }));
  assert.deepEqual(
    found.map((fault) => fault.split('/').at(-1)),
    ['a has no description', 'b has no description'],
  );
});

test('tuples, expressions and entries are taken as the server takes them', () => {
  const isValid = validator(configFileSchema(known));
  const accepts = (plugins: object, rest: object = {}): boolean => isValid({ version: 1, ...rest, plugins });
  const pairs = (...cross_border: unknown[]) => ({ accounts: { defaultPlatform: { cross_border } } });
  assert.ok(accepts(pairs(['US', 'FR'])));
  assert.ok(!accepts(pairs(['US'])));
  assert.ok(!accepts(pairs(['US', 'FR', 'DE'])));

  assert.ok(
    accepts({ events: { pollInterval: '${POLL:-60}' }, dataquery: { catalog: 'c', txEnd: '${END}' } }),
  );
  assert.ok(!accepts({ events: { pollInterval: 'often' } }));

  assert.ok(accepts({ events: null, router: {} }));
  assert.ok(!accepts({ dataquery: null }), 'its catalog has no default');
  assert.ok(!accepts({ events: { use: 'events', pol: 1 } }), 'a built-in that is named is still checked');
  assert.ok(accepts({ archive: { use: 'events', prefix: '/archive' } }));
  assert.ok(!accepts({ archive: { use: 'events', pol: 1 } }));
  assert.ok(!accepts({ archive: {} }), 'no plugin has that name');
  assert.ok(accepts({ search: { use: '@acme/search', anything: 1 } }), 'nobody knows its keys here');

  const storage = (entry: object | null) => accepts({}, { providers: { storage: entry } });
  assert.ok(storage({ path: './data' }) && storage(null));
  assert.ok(storage({ use: 'mongodb', url: '${MONGODB_URI}' }));
  assert.ok(!storage({ use: 'mongodb', path: './data' }));
});

test('the plugins of others that a file names are in the schema', () => {
  const config = Type.Object(
    { size: Type.Integer({ description: 'How many.' }) },
    { additionalProperties: false },
  );
  const notes = definePlugin({ name: 'notes', api: 1, config, setup: () => ({}) });
  const isValid = validator(configFileSchema({ ...known, foreign: { './plugins/notes.js': notes } }));
  const accepts = (notes: object): boolean => isValid({ version: 1, plugins: { notes } });
  assert.ok(accepts({ use: './plugins/notes.js', size: 1 }));
  assert.ok(!accepts({ use: './plugins/notes.js', size: 'big' }));
  assert.ok(!accepts({ use: './plugins/notes.js' }), 'size has no default');
});
