import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { connect as connectSecurely } from 'node:tls';
import { Connections, mostConnections } from '../../../../kernel/http/listener/connections.js';
import { createAuthority, hasOpenssl } from '../../../support/peers/certificates.js';
import { eventually } from '../../../support/eventually.js';

/** A listener of Node whose connections are counted; it answers `/slow` when `finish` is called. */
async function listen(t: TestContext, server: Server, most: number, secure = false) {
  const full: number[] = [];
  const connections = new Connections(most, () => full.push(connections.all.length));
  const slow: (() => void)[] = [];
  const surplus: boolean[] = [];
  server.on('connection', (socket: Socket) => connections.add(socket, secure));
  server.on('secureConnection', (socket: Socket) => connections.secured(socket));
  server.on('request', (request, response) => {
    const connection = connections.of(request.socket);
    assert.ok(connection);
    connections.begin(connection, response);
    surplus.push(connection.surplus);
    if (request.url === '/slow') slow.push(() => response.end('slow'));
    else response.end('quick');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { connections, port, full, slow, surplus };
}

async function open(t: TestContext, port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  t.after(() => socket.destroy());
  await once(socket.resume(), 'connect');
  return socket;
}

async function ask(socket: Socket, path: string): Promise<void> {
  socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`);
  if (path !== '/slow') await once(socket, 'data');
}

test('above the bound, one that sent no request is closed first, then the one that has been idle longest', async (t) => {
  const { connections, port, full } = await listen(t, createServer(), 3);
  const used = await open(t, port);
  await ask(used, '/quick');
  const later = await open(t, port);
  await ask(later, '/quick');
  const unused = await open(t, port);
  await eventually(() => connections.all.length === 3, 'three are open');
  assert.deepEqual(full, []);

  const fourth = await open(t, port);
  await eventually(() => unused.closed, 'it is closed');
  await ask(fourth, '/quick');
  await open(t, port);
  await eventually(() => used.closed, 'it is closed');
  assert.equal(later.closed, false);
  assert.equal(connections.all.length, 3);
  assert.equal(full.length, 2);
});

test('where every connection has a request, the next one is surplus, and gone first', async (t) => {
  const { connections, port, slow, surplus } = await listen(t, createServer(), 2);
  for (const _ of [1, 2]) await ask(await open(t, port), '/slow');
  await eventually(() => slow.length === 2, 'both have arrived');
  const third = await open(t, port);
  await eventually(() => connections.all.length === 3, 'it is taken');
  await ask(await open(t, port), '/quick');
  await eventually(() => third.closed, 'it is closed');
  assert.deepEqual(surplus, [false, false, true]);
  slow.forEach((finish) => finish());
});

test(
  'a connection over TLS counts once, from its handshake on',
  { skip: !hasOpenssl() && 'no openssl' },
  async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'plugboard-connections-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const pem = readFileSync(createAuthority(folder, 'one').issue('localhost'));
    const server = createSecureServer({ cert: pem, key: pem });
    const { connections, port, surplus } = await listen(t, server as unknown as Server, 2, true);
    const mute = await open(t, port);
    const secure = connectSecurely({ port, host: '127.0.0.1', rejectUnauthorized: false });
    t.after(() => secure.destroy());
    await once(secure, 'secureConnect');
    await ask(secure, '/quick');
    assert.equal(connections.all.length, 2);
    await open(t, port);
    await eventually(() => mute.closed, 'it is closed');
    await ask(secure, '/quick');
    assert.deepEqual(surplus, [false, false]);
    assert.equal(connections.all.length, 2);
    secure.destroy();
    await eventually(() => connections.all.length === 1, 'it is forgotten');
  },
);

test('half of what a process may open besides its own files is for connections', () => {
  assert.deepEqual([64, 128, 1_024, 20_000].map(mostConnections), [8, 40, 488, 9_976]);
});
