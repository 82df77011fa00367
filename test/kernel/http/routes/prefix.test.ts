/** The prefix of a plugin's routes, and what the plugin sees of it. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { definePlugin, Type } from 'plugboard/sdk';
import { bootTest, pluginContract } from 'plugboard/testing';

const shelf = definePlugin({
  name: 'shelf',
  api: 1,
  config: Type.Object({}, { additionalProperties: false }),
  prefix: '/shelf',
  setup: ({ prefix }) => ({
    routes: (app) => {
      app.get('/', (request) => ({ path: request.path, self: prefix }));
      app.get('/*', (request) => ({ path: request.path, self: prefix }));
    },
  }),
});

pluginContract(shelf);

test('the contract needs nothing else that keeps the process alive', async () => {
  const file = fileURLToPath(new URL('../../../support/silent-stream.js', import.meta.url));
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { stdout } = await promisify(execFile)(process.execPath, ['--test-reporter=tap', file], { env });
  assert.match(stdout, /# pass 6\n# fail 0\n# cancelled 0/);
});

test('a plugin has its own prefix, and its handlers see the path after it', async () => {
  await using server = await bootTest({ plugins: [{ plugin: shelf }] });
  for (const [url, path] of [
    ['/shelf', '/'],
    ['/shelf/', '/'],
    ['/shelf/books/a%2Fb?x=/y#z', '/books/a%2Fb'],
    ['/sh%65lf/books', '/books'],
  ] as const) {
    assert.deepEqual((await server.inject(url)).json(), { path, self: '/shelf' }, url);
  }
  assert.equal((await server.inject('/books')).statusCode, 404);
});

test('the config sets another prefix, "/" is the root', async () => {
  await using server = await bootTest({
    plugins: [
      { plugin: shelf, prefix: '/' },
      { plugin: shelf, id: 'deep', prefix: '/a/b' },
    ],
  });
  assert.deepEqual((await server.inject('/books')).json(), { path: '/books', self: '' });
  assert.deepEqual((await server.inject('/')).json(), { path: '/', self: '' });
  assert.deepEqual((await server.inject('/a/b/books')).json(), { path: '/books', self: '/a/b' });
});

test('two instances under one prefix are a problem of the config', async () => {
  await assert.rejects(
    bootTest({ plugins: [{ plugin: shelf }, { plugin: shelf, id: 'other' }] }),
    /plugins\.other: its routes are under \/shelf, like those of "shelf"; set a "prefix"/,
  );
});
