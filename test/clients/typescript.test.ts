/** A client of openapi-typescript and openapi-fetch: it type-checks on every request of the README, and runs it. */
import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import openapiTypescript, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { readmeRequests, type ReadmeRequest } from './readme.js';
import { serve, type Served } from './served.js';

let served: Served;
let requests: readonly ReadmeRequest[] = [];
let folder = '';
before(async () => {
  served = await serve();
  requests = readmeRequests(served.document);
  folder = join(served.folder, 'typescript');
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await symlink(join(import.meta.dirname, '../node_modules'), join(folder, 'node_modules'));
  // As its command does without a flag.
  const ast = await openapiTypescript(JSON.stringify(served.document));
  await writeFile(join(folder, 'api.ts'), astToString(ast));
});
after(() => served[Symbol.asyncDispose]());

/** What the client is called with: literals, so that the compiler sees each member. */
function callOf({ method, template, pathParams, query, body, basic }: ReadmeRequest): string {
  const authorization = basic && `Basic ${Buffer.from(basic).toString('base64')}`;
  const options = {
    ...((Object.keys(pathParams).length > 0 || Object.keys(query).length > 0) && {
      params: {
        ...(Object.keys(pathParams).length > 0 && { path: pathParams }),
        ...(Object.keys(query).length > 0 && { query }),
      },
    }),
    ...(body !== undefined && { body }),
    ...(authorization !== undefined && { headers: { authorization } }),
    // A sound is no JSON.
    parseAs: 'text',
  };
  return `() => client.${method}(${JSON.stringify(template)}, ${JSON.stringify(options)} as const)`;
}

function programOf(calls: readonly string[]): string {
  return `import createClient from 'openapi-fetch';
import type { paths } from './api.js';
export const clientOf = (baseUrl: string, key: string) => {
  const client = createClient<paths>({ baseUrl, headers: { authorization: \`Bearer \${key}\` } });
  return [${calls.join(',\n')}];
};
`;
}

/** Messages of the compiler, and the path of what it wrote. */
async function compiled(name: string, text: string): Promise<{ faults: string[]; module: string }> {
  const file = join(folder, `${name}.ts`);
  await writeFile(file, text);
  const program = ts.createProgram([file], {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
  });
  const { diagnostics } = program.emit();
  const faults = [...ts.getPreEmitDiagnostics(program), ...diagnostics].map(({ messageText }) =>
    ts.flattenDiagnosticMessageText(messageText, '\n'),
  );
  return { faults, module: join(folder, `${name}.js`) };
}

type Calls = readonly (() => Promise<{ readonly response: Response }>)[];

test('every request of the README is one that the client takes, and the server answers as the document says', async () => {
  assert.ok(requests.length >= 10, `${requests.length} requests`);
  const { faults, module } = await compiled('requests', programOf(requests.map(callOf)));
  assert.deepEqual(faults, []);
  const { clientOf } = (await import(module)) as { clientOf(url: string, key: string): Calls };
  for (const [at, ask] of clientOf(served.url, served.key).entries()) {
    const { response } = await ask();
    const { template, method } = requests[at]!;
    // Without an upstream there is no model.
    const expected = template === '/v1/chat/completions' ? 404 : undefined;
    if (expected === undefined) assert.ok(response.ok, `${method} ${template}: ${response.status}`);
    else assert.equal(response.status, expected);
  }
});

test('a request with a member of another type, or without one that it needs, is not taken', async () => {
  const memory = requests.find(({ template }) => template === '/api/memory');
  assert.ok(memory);
  for (const [name, body] of [
    ['another', { key: 'tea', content: 7 }],
    ['missing', { key: 'tea' }],
  ] as const) {
    const { faults } = await compiled(name, programOf([callOf({ ...memory, body })]));
    assert.notDeepEqual(faults, [], name);
  }
});

test('a chat may have every parameter that its upstream knows', async () => {
  const chat = requests.find(({ template }) => template === '/v1/chat/completions');
  assert.ok(chat);
  const body = { ...(chat.body as object), temperature: 0.2, seed: 7 };
  const { faults } = await compiled('more', programOf([callOf({ ...chat, body })]));
  assert.deepEqual(faults, []);
});
