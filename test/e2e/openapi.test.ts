/** The OpenAPI document of every built-in plugin, as generators of clients read it. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openApiFaults, operationsOf, type OpenApiDocument } from '../support/openapi/openapi-faults.js';
import { SpawnedServer } from '../support/servers/spawned-server.js';

let folder = '';
let server: SpawnedServer;
let document: OpenApiDocument;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plugboard-openapi-'));
  const env = { PORT: '0', PLUGBOARD_DATA: join(folder, 'data') };
  // Those that are off by default.
  const more = join(folder, 'more.yaml');
  await writeFile(more, 'version: 1\nplugins: { changes: }\n');
  server = await SpawnedServer.run(['config/default.yaml', more], { env });
  document = (await (await fetch(`${server.url}/-/openapi.json`)).json()) as OpenApiDocument;
});
after(async () => {
  await server.end('SIGTERM');
  await rm(folder, { recursive: true, force: true });
});

test('every operation has a summary, a name that no other has, a tag with a description, its errors, and an example of its body that fits', () => {
  assert.ok(operationsOf(document).length > 100, `${operationsOf(document).length} operations`);
  assert.deepEqual(openApiFaults(document), []);
});

test('an operation without a summary, a name of its own, a described tag or errors is refused', () => {
  const [path, methods] = Object.entries(document.paths)[0] ?? ['', {}];
  const bare = openApiFaults({
    ...document,
    servers: [],
    tags: [],
    paths: { [path]: methods, '/{*}': { get: {} } },
  });
  for (const fault of [
    /no server/,
    /\{\*\}: .*no name/,
    /operationId is no name/,
    /no summary/,
    /no tag/,
    /errors/,
  ])
    assert.ok(
      bare.some((line) => fault.test(line)),
      `${String(fault)} in ${bare.join('; ')}`,
    );
  const body = { content: { 'application/json': { schema: { type: 'object', examples: [1] } } } };
  const [unfit, without] = [body, { content: { 'application/json': { schema: {} } } }].map((requestBody) =>
    openApiFaults({ ...document, paths: { '/a': { post: { ...Object.values(methods)[0], requestBody } } } }),
  );
  assert.match(String(unfit), /example of its body is refused: data must be object/);
  assert.match(String(without), /no example/);
  const twice = openApiFaults({ ...document, paths: { '/a': methods, '/b': methods } });
  assert.match(twice.join('; '), /its operationId is that of /);
});

test('a request requires no member that has a default, and tuples are those of JSON Schema 2020-12', () => {
  let objects = 0;
  const check = (value: unknown, where: string): void => {
    if (typeof value !== 'object' || value === null) return;
    const { required, properties, items } = value as {
      required?: unknown;
      properties?: Record<string, { default?: unknown }>;
      items?: unknown;
    };
    assert.ok(!Array.isArray(items), where);
    if (Array.isArray(required) && properties !== undefined) {
      objects += 1;
      for (const name of required as string[])
        assert.equal(properties[name]?.default, undefined, `${where}: ${name}`);
    }
    for (const part of Object.values(value)) check(part, where);
  };
  for (const [where, { requestBody }] of operationsOf(document)) check(requestBody, where);
  for (const [name, schema] of Object.entries(document.components?.schemas ?? {}))
    if (name.endsWith('Input')) check(schema, name);
  assert.ok(objects > 20, `${objects} objects`);
});

test('each table of the catalog has a path of its own, with rows that are read, inserted and changed', () => {
  const { '/data/films': films = {}, '/data/rpc/films_between': called = {} } = document.paths;
  assert.deepEqual(Object.keys(films), ['get', 'post', 'put', 'patch', 'delete']);
  assert.deepEqual(Object.keys(called), ['get', 'post']);
  const schemas = (document.components?.schemas ?? {}) as Record<
    string,
    { required?: string[]; properties: object }
  >;
  assert.deepEqual(schemas['FilmsRowInput']?.required, ['title']);
  assert.equal(schemas['FilmsChangeInput']?.required, undefined);
  assert.ok('added_at' in (schemas['FilmsRow']?.properties ?? {}));
});

test('what a request takes and what is answered are components of their own, with defaults in words', () => {
  interface Named {
    readonly required?: readonly string[];
    readonly properties: Readonly<
      Record<string, { readonly default?: unknown; readonly description?: string }>
    >;
  }
  const { Memory, MemoryInput } = (document.components?.schemas ?? {}) as Record<string, Named | undefined>;
  assert.deepEqual(MemoryInput?.required, ['content', 'key']);
  assert.match(MemoryInput?.properties['type']?.description ?? '', /Default: "factual"/);
  assert.equal(MemoryInput?.properties['type']?.default, undefined);
  assert.ok(Memory?.required?.includes('type'));
});
