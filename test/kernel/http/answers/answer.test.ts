import assert from 'node:assert/strict';
import { get } from 'node:http';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import type { IncomingMessage } from 'node:http';
import { definePlugin, Type } from 'plugboard/sdk';
import { bootTest, type TestServer } from 'plugboard/testing';

const plugin = definePlugin({
  name: 'answers',
  api: 1,
  config: Type.Object({}, { additionalProperties: false }),
  setup: () => ({
    routes(app) {
      app.get('/whole', () => ({ a: 1 }));
      app.get('/stream', (_request, reply) => reply.type('text/plain').send(Readable.from(['a', 'b'])));
      app.get('/raw', (_request, reply) => {
        reply.hijack();
        reply.raw.writeHead(200, { 'content-length': '0' });
        reply.raw.end();
      });
      const frames = { 'X-Frame-Options': 'SAMEORIGIN', 'x-request-id': 'of-another' };
      app.get('/framed-raw', (_request, reply) => {
        reply.hijack();
        reply.raw.writeHead(200, { ...frames, 'content-length': '0' }).end();
      });
      app.get('/framed-list', (_request, reply) => {
        reply.hijack();
        reply.raw.writeHead(200, [...Object.entries(frames).flat(), 'content-length', '0']).end();
      });
      app.get('/unchanged', (_request, reply) => reply.code(304).send());
      app.get('/framed', (_request, reply) => reply.headers(frames).send({}));
      app.get('/framed-stream', (_request, reply) => reply.headers(frames).send(Readable.from(['a'])));
    },
  }),
});

const SAFE = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-site',
};

describe('the headers of every answer', () => {
  let server: TestServer;
  let url: string;
  before(async () => {
    server = await bootTest({ plugins: [{ plugin }] });
    url = await server.listen();
  });
  after(() => server.stop());

  /** Each header as often as it came. */
  async function overTheWire(path: string): Promise<Record<string, string[]>> {
    const [answer] = (await once(get(`${url}${path}`), 'response')) as [IncomingMessage];
    answer.resume();
    return answer.headersDistinct as Record<string, string[]>;
  }
  async function injected(path: string): Promise<Record<string, string[]>> {
    const { headers } = await server.inject(path);
    return Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, [value].flat().map(String)]),
    );
  }

  for (const ask of [overTheWire, injected]) {
    for (const path of ['/whole', '/stream', '/raw', '/nowhere', '/%zz'])
      test(`${path} is safe for any browser and has an id, ${ask.name}`, async () => {
        const headers = await ask(path);
        for (const [name, value] of Object.entries(SAFE)) assert.deepEqual(headers[name], [value], name);
        assert.match(String(headers['x-request-id']), /^[\w-]{12}-\d+$/);
      });

    test(`a 304 has its id alone, ${ask.name}`, async () => {
      const headers = await ask('/unchanged');
      for (const name of Object.keys(SAFE)) assert.equal(headers[name], undefined, name);
      assert.match(String(headers['x-request-id']), /^[\w-]{12}-\d+$/);
    });

    const raw = ask === overTheWire ? ['/framed-raw', '/framed-list'] : [];
    for (const path of ['/framed', '/framed-stream', ...raw])
      test(`what ${path} says itself is said once, ${ask.name}`, async () => {
        const headers = await ask(path);
        assert.deepEqual(headers['x-frame-options'], ['SAMEORIGIN']);
        assert.deepEqual(headers['x-request-id'], ['of-another']);
        assert.deepEqual(headers['x-content-type-options'], ['nosniff']);
      });
  }
});
