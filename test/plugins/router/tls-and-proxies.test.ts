/** How an upstream is reached: over TLS with an authority of its own, and through the proxies of the environment. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createServer as createSecureServer } from 'node:tls';
import { createAuthority } from '../../support/peers/certificates.js';
import { TestUpstream } from '../../support/peers/upstream.js';
import { bootRouter, chat, type RouterServer } from './support/boot.js';

const folder = await mkdtemp(join(tmpdir(), 'plugboard-tls-'));
after(() => rm(folder, { recursive: true }));
const authority = createAuthority(folder, 'own');
const certificate = readFileSync(authority.issue('upstream'));
const ca = readFileSync(authority.caFile, 'utf8');

interface Front extends AsyncDisposable {
  readonly port: number;
}

test('the authority in `ca` is trusted for its upstream, and for no other', async () => {
  await using upstream = await TestUpstream.start('inner');
  await using secure = await overTls(upstream);
  const baseUrl = `https://127.0.0.1:${secure.port}/v1`;
  const upstreams = [
    { name: 'trusting', baseUrl, ca },
    { name: 'plain', baseUrl },
  ];
  await using router = await bootRouter([], { upstreams });
  assert.equal(await said(router, 'trusting/m'), 'inner inner');
  const refused = await router.post('/v1/chat/completions', chat('plain/m'));
  assert.match(await refused.text(), /plain\/m \(certificate_refused\)/);
  assert.equal(upstream.requests.length, 1);
});

test('calls go through the proxy that the environment names, with its password, and TLS goes on to the upstream', async () => {
  await using upstream = await TestUpstream.start('inner');
  await using secure = await overTls(upstream);
  await using proxy = await Proxy.start();
  const url = `http://caller:sesame@127.0.0.1:${proxy.port}`;
  await inEnvironment({ HTTPS_PROXY: url, HTTP_PROXY: url }, async () => {
    await using router = await bootRouter([], {
      upstreams: [
        { name: 'tls', baseUrl: `https://127.0.0.1:${secure.port}/v1`, ca, apiKey: 'secret-of-tls' },
        { name: 'strange', baseUrl: `https://127.0.0.1:${secure.port}/v1` },
        { name: 'clear', baseUrl: upstream.url },
      ],
    });
    assert.equal(await said(router, 'tls/m'), 'inner inner');
    assert.equal(await said(router, 'clear/m'), 'inner inner');
    const refused = await router.post('/v1/chat/completions', chat('strange/m'));
    assert.match(await refused.text(), /strange\/m \(certificate_refused\)/);
  });
  const [first] = proxy.seen;
  assert.equal(first?.target, `127.0.0.1:${secure.port}`);
  assert.equal(first?.authorization, `Basic ${Buffer.from('caller:sesame').toString('base64')}`);
  assert.ok(proxy.seen.some(({ target }) => target.includes(new URL(upstream.url).port)));
  assert.equal(upstream.requests[0]?.headers.authorization, 'Bearer secret-of-tls');
  assert.equal(upstream.requests[0]?.headers['proxy-authorization'], undefined);
});

test('NO_PROXY excepts a host', async () => {
  await using upstream = await TestUpstream.start('inner');
  await using proxy = await Proxy.start();
  const url = `http://127.0.0.1:${proxy.port}`;
  await inEnvironment({ http_proxy: url, NO_PROXY: 'localhost' }, async () => {
    const inTheClear = upstream.url.replace('127.0.0.1', 'localhost');
    await using router = await bootRouter([], {
      upstreams: [
        { name: 'excepted', baseUrl: inTheClear, models: ['m'] },
        { name: 'proxied', baseUrl: upstream.url, models: ['m'] },
      ],
    });
    assert.equal(await said(router, 'excepted/m'), 'inner inner');
    assert.equal(proxy.seen.length, 0);
    assert.equal(await said(router, 'proxied/m'), 'inner inner');
    assert.equal(proxy.seen.length, 1);
  });
});

test('a proxy that turns the call away or is not there fails the target, and the next one answers', async () => {
  await using upstream = await TestUpstream.start('inner');
  await using stand = await TestUpstream.start('stand-in');
  await using secure = await overTls(upstream);
  await using proxy = await Proxy.start('HTTP/1.1 403 Forbidden\r\n\r\n');
  const config = {
    upstreams: [
      { name: 'behind', baseUrl: `https://127.0.0.1:${secure.port}/v1`, ca },
      { name: 'near', baseUrl: stand.url },
    ],
    routes: { both: { strategy: 'priority', targets: ['behind/m', 'near/m'] } },
  };
  for (const port of [proxy.port, 1])
    await inEnvironment({ HTTPS_PROXY: `http://127.0.0.1:${port}` }, async () => {
      await using router = await bootRouter([], config);
      assert.equal(await said(router, 'both'), 'stand-in stand-in');
      const alone = await router.post('/v1/chat/completions', chat('behind/m'));
      assert.equal(alone.status, 502, await alone.text());
    });
  assert.equal(upstream.requests.length, 0);
});

/** What the model answers. */
async function said(router: RouterServer, model: string): Promise<string> {
  const answer = await router.post('/v1/chat/completions', chat(model));
  const text = await answer.text();
  assert.equal(answer.status, 200, text);
  return (JSON.parse(text) as { choices: [{ message: { content: string } }] }).choices[0].message.content;
}

/** TLS in front of an upstream. */
async function overTls(upstream: TestUpstream): Promise<Front> {
  const { port } = new URL(upstream.url);
  const server = createSecureServer({ key: certificate, cert: certificate }, (socket) => {
    const inner = connect(Number(port), '127.0.0.1');
    socket.pipe(inner).pipe(socket);
    socket.on('error', () => inner.destroy());
    inner.on('error', () => socket.destroy());
  });
  // A client that does not trust the certificate.
  server.on('tlsClientError', () => {});
  return front(server);
}

async function front(server: Server): Promise<Front> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket.on('error', () => {})));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A proxy: tunnels by `CONNECT`, and passes requests with a whole address on. */
class Proxy implements AsyncDisposable {
  readonly seen: { readonly target: string; readonly authorization: string | undefined }[] = [];
  #front!: Front;

  /** `refusal`: what every `CONNECT` is answered with. */
  static async start(refusal?: string): Promise<Proxy> {
    const proxy = new Proxy();
    const server = createServer((request, response) => {
      proxy.#note(request);
      const { host, pathname } = new URL(request.url ?? '');
      const inner = connect(Number(host.split(':')[1]), '127.0.0.1');
      const { 'proxy-authorization': _, ...headers } = request.headers;
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`);
      inner.write(
        `${request.method} ${pathname} HTTP/1.1\r\n${lines.join('\r\n')}\r\nconnection: close\r\n\r\n`,
      );
      request.pipe(inner, { end: false });
      inner.pipe(response.socket!);
    });
    server.on('connect', (request: IncomingMessage, socket: Socket) => {
      proxy.#note(request);
      if (refusal !== undefined) {
        socket.end(refusal);
        return;
      }
      const inner = connect(Number(request.url?.split(':')[1]), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
        socket.pipe(inner).pipe(socket);
      });
      socket.on('error', () => inner.destroy());
      inner.on('error', () => socket.destroy());
    });
    proxy.#front = await front(server);
    return proxy;
  }

  get port(): number {
    return this.#front.port;
  }

  #note({ url = '', headers }: IncomingMessage): void {
    this.seen.push({ target: url, authorization: headers['proxy-authorization'] });
  }

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.#front[Symbol.asyncDispose]();
  }
}

/** Upstreams read the environment when they are made. */
async function inEnvironment(
  variables: Readonly<Record<string, string>>,
  work: () => Promise<void>,
): Promise<void> {
  const before = { ...process.env };
  Object.assign(process.env, variables);
  try {
    await work();
  } finally {
    for (const name of Object.keys(variables)) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  }
}
