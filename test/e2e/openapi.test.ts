/** The OpenAPI document of every built-in plugin, as generators of clients read it. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { SpawnedServer } from '../support/spawned-server.js';

interface Operation {
  readonly operationId?: string;
  readonly tags: readonly string[];
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, unknown>>;
}
interface Document {
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

let folder = '';
let server: SpawnedServer;
let document: Document;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plugboard-openapi-'));
  const env = { PORT: '0', PLUGBOARD_DATA: join(folder, 'data') };
  server = await SpawnedServer.run(['config/default.yaml'], { env });
  document = (await (await fetch(`${server.url}/-/openapi.json`)).json()) as Document;
});
after(async () => {
  await server.end('SIGTERM');
  await rm(folder, { recursive: true, force: true });
});

const operations = (): [string, Operation][] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]): [string, Operation] => [`${method} ${path}`, one]),
  );

test('every operation has a name that no other has, a tag with a description, and its errors', () => {
  const names = operations().map(([, { operationId }]) => operationId);
  assert.ok(names.length > 100, `${names.length} operations`);
  assert.equal(new Set(names).size, names.length);
  const described = new Set(document.tags.filter(({ description }) => description).map(({ name }) => name));
  for (const [where, { operationId = '', tags, responses }] of operations()) {
    assert.doesNotMatch(where, /\{\W/);
    assert.match(operationId, /^[a-z][A-Za-z0-9]*$/, where);
    assert.ok(tags.length > 0 && tags.every((tag) => described.has(tag)), where);
    assert.ok('default' in responses, where);
  }
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
  for (const [where, { requestBody }] of operations()) check(requestBody, where);
  assert.ok(objects > 20, `${objects} objects`);
});
