import assert from 'node:assert/strict';
import { test } from 'node:test';
import { definePlugin, Type } from 'plugboard/sdk';
import { bootTest } from 'plugboard/testing';

const plugin = definePlugin({
  name: 'notes',
  api: 1,
  summary: 'Notes of people',
  dialect: 'svc',
  config: Type.Object({}, { additionalProperties: false }),
  setup: () => ({
    routes(app) {
      const querystring = Type.Object({
        page: Type.Integer({ default: 1, description: 'from 1' }),
        word: Type.String(),
        tag: Type.Optional(Type.String()),
      });
      const about = { summary: 'List', operationId: 'listNotes', deprecated: true };
      app.get('/', { schema: { ...about, querystring } }, () => []);
      const body = Type.Object({
        labels: Type.Record(Type.String(), Type.String()),
        kind: Type.String({ default: 'plain' }),
        at: Type.Optional(Type.Tuple([Type.Number(), Type.Number()])),
      });
      const sound = { schema: { type: 'string', format: 'binary' } };
      const response = {
        '2xx': Type.Object(
          { id: Type.String(), kind: Type.String({ default: 'plain' }) },
          { description: 'The note' },
        ),
        203: {
          description: 'A sound',
          content: { 'audio/mpeg': sound },
          headers: { 'x-length': { type: 'integer', description: 'in bytes' } },
        },
        204: { type: 'null' },
      };
      app.put('/:id(\\d+)/*', { schema: { body, response } }, () => ({}));
      app.get('/hidden', { config: { hidden: true } }, () => ({}));
    },
  }),
});

type Json = Record<string, unknown>;

test('the document describes what the routes take and answer', async () => {
  await using server = await bootTest({ plugins: [{ plugin, prefix: '/notes' }] });
  const document = (await server.inject('/-/openapi.json')).json<Json & { paths: Record<string, Json> }>();
  assert.equal(document['openapi'], '3.1.0');
  assert.equal(document.paths['/notes/hidden'], undefined);
  const list = document.paths['/notes']?.['get'] as Json;
  assert.deepEqual([list['summary'], list['tags'], list['security']], ['List', ['notes'], []]);
  assert.deepEqual([list['operationId'], list['deprecated']], ['listNotes', true]);
  assert.deepEqual(document['tags'], [{ name: 'notes', description: 'Notes of people' }]);
  assert.equal((document['servers'] as { url: string }[])[0]?.url, '/');
  assert.deepEqual(list['parameters'], [
    {
      in: 'query',
      name: 'page',
      description: 'from 1',
      required: false,
      schema: { type: 'integer', default: 1 },
    },
    { in: 'query', name: 'word', required: true, schema: { type: 'string' } },
    { in: 'query', name: 'tag', required: false, schema: { type: 'string' } },
  ]);
  const put = document.paths['/notes/{id}/{rest}']?.['put'] as Json & { responses: Record<string, Json> };
  const text = { type: 'string' };
  assert.deepEqual(put['parameters'], [
    { in: 'path', name: 'id', required: true, schema: text },
    { in: 'path', name: 'rest', required: true, schema: text },
  ]);
  const labels = { type: 'object', additionalProperties: text };
  const kind = { type: 'string', default: 'plain' };
  const number = { type: 'number' };
  const at = { type: 'array', prefixItems: [number, number], minItems: 2, maxItems: 2 };
  const schema = {
    type: 'object',
    required: ['labels'],
    properties: { labels, kind, at },
    additionalProperties: true,
  };
  assert.deepEqual(put['requestBody'], { required: true, content: { 'application/json': { schema } } });
  const { default: failure, ...answers } = put.responses;
  assert.equal(failure?.['description'], 'An error');
  const note = {
    type: 'object',
    required: ['id', 'kind'],
    properties: { id: text, kind },
    description: 'The note',
  };
  assert.deepEqual(answers, {
    '2XX': { description: 'The note', content: { 'application/json': { schema: note } } },
    '203': {
      description: 'A sound',
      content: { 'audio/mpeg': { schema: { type: 'string', format: 'binary' } } },
      headers: { 'x-length': { description: 'in bytes', schema: { type: 'integer' } } },
    },
    '204': { description: 'Default Response' },
  });
});

test('a schema with a title is a component, once for answers and once for requests', async () => {
  const note = (kind: string) =>
    Type.Object({ text: Type.String(), kind: Type.String({ default: kind }) }, { title: 'Note' });
  const titled = definePlugin({
    name: 'titled',
    api: 1,
    summary: 'Notes',
    config: Type.Object({}, { additionalProperties: false }),
    setup: () => ({
      routes(app) {
        app.post(
          '/',
          { schema: { body: note('plain'), response: { 200: Type.Array(note('plain')) } } },
          () => [],
        );
        app.put('/', { schema: { body: note('plain') } }, () => ({}));
        app.patch('/', { schema: { body: note('bold') } }, () => ({}));
      },
    }),
  });
  await using server = await bootTest({ plugins: [{ plugin: titled, prefix: '/notes' }] });
  const { paths, components } = (await server.inject('/-/openapi.json')).json<{
    paths: Record<string, Record<string, { requestBody: unknown; responses: Record<string, unknown> }>>;
    components: { schemas: Json };
  }>();
  const { post, put, patch } = paths['/notes'] ?? {};
  const json = (schema: object) => ({ 'application/json': { schema } });
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  assert.deepEqual(post?.requestBody, { required: true, content: json(ref('NoteInput')) });
  assert.deepEqual(put?.requestBody, post?.requestBody);
  assert.deepEqual(patch?.requestBody, { required: true, content: json(ref('NoteInput2')) });
  assert.deepEqual(post?.responses['200'], {
    description: 'Default Response',
    content: json({ type: 'array', items: ref('Note') }),
  });
  const text = { type: 'string' };
  const { Note, NoteInput } = components.schemas;
  assert.deepEqual(Note, {
    type: 'object',
    required: ['text', 'kind'],
    properties: { text, kind: { type: 'string', default: 'plain' } },
  });
  assert.deepEqual(NoteInput, {
    type: 'object',
    required: ['text'],
    properties: { text, kind: { type: 'string', description: 'Default: "plain"' } },
    // Generators of clients let nothing else in unless it is said.
    additionalProperties: true,
  });
});

test('a wildcard route shows the operations that it declares, and new ones when they change', async () => {
  const tables = (...names: string[]) =>
    names.map((name) => ({ method: 'GET', path: `/${name}`, schema: { summary: `Read ${name}` } }));
  let operations = tables('tea');
  const wildcard = definePlugin({
    name: 'wildcard',
    api: 1,
    summary: 'Tables',
    config: Type.Object({}, { additionalProperties: false }),
    setup: () => ({
      routes(app) {
        app.get('/*', { config: { operations: () => operations } }, () => []);
      },
    }),
  });
  await using server = await bootTest({ plugins: [{ plugin: wildcard, prefix: '/tables' }] });
  const shown = async (url: string): Promise<string[]> =>
    Object.keys((await server.inject(url)).json<{ paths: object }>().paths);
  assert.deepEqual(await shown('/-/openapi.json'), ['/tables/tea']);
  assert.deepEqual(await shown('/-/docs/json'), ['/tables/tea']);
  operations = tables('tea', 'milk');
  assert.deepEqual(await shown('/-/openapi.json'), ['/tables/tea', '/tables/milk']);
  assert.deepEqual(await shown('/-/docs/json'), ['/tables/tea', '/tables/milk']);
});

test('operations have names of their own, which another prefix does not change', async () => {
  const ids = async (prefix: string): Promise<unknown[]> => {
    await using server = await bootTest({
      plugins: [
        { plugin, prefix },
        { plugin, id: 'b', prefix: '/b' },
      ],
    });
    const { paths } = (await server.inject('/-/openapi.json')).json<{ paths: Record<string, object> }>();
    return Object.values(paths).flatMap((path) =>
      Object.values(path).map((operation: Json) => operation['operationId']),
    );
  };
  const names = ['listNotes', 'notesPutByIdByRest', 'listNotes2', 'bPutByIdByRest'];
  assert.deepEqual(await ids('/notes'), names);
  assert.deepEqual(await ids('/other'), names);
});

test('the pages show the document, and everybody gets the same one', async () => {
  await using server = await bootTest({ plugins: [{ plugin }] });
  const page = await server.inject('/-/docs/');
  assert.match(page.body, /swagger-ui/);
  assert.doesNotMatch(
    page.body,
    /(?:src|href)="\/|<script>|<style>/,
    'every file is relative, nothing is inline',
  );
  assert.match(String(page.headers['content-security-policy']), /^default-src 'none'; script-src 'self'; /);
  assert.equal((await server.inject('/-/docs')).headers['location'], './docs/');
  const { body } = await server.inject('/-/openapi.json');
  for (const url of ['/-/docs/json', '/-/docs/yaml']) assert.equal((await server.inject(url)).body, body);
});
