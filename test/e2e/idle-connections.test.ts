/** More connections than the process may open, from somebody who has no key. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { caller, memoryKeys } from '../support/caller.js';
import { deployment } from '../support/servers/deployment.js';
import { eventually } from '../support/eventually.js';
import { SpawnedServer } from '../support/servers/spawned-server.js';
import { eachStore } from '../support/stores.js';

/** Opens them one after another. None sends anything. */
async function openIdle(url: string, count: number): Promise<Disposable & { readonly open: () => number }> {
  const sockets: Socket[] = [];
  for (let at = 0; at < count; at += 1) {
    const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {});
    await once(socket, 'connect');
    sockets.push(socket);
  }
  return {
    open: () => sockets.filter(({ closed }) => !closed).length,
    [Symbol.dispose]: () => sockets.forEach((socket) => socket.destroy()),
  };
}

eachStore('idle connections above the limit on open files', (store) => {
  for (const { openFiles, most } of [
    { openFiles: 128, most: 40 },
    { openFiles: 256, most: 104 },
    { openFiles: 1_024, most: 488 },
  ]) {
    test(`at ${openFiles} files the oldest idle ones are closed, others are served, and writes are kept`, async () => {
      const installation = deployment(await store.fresh(), { memory: null });
      await using server = await SpawnedServer.start(installation, { openFiles });
      const call = caller(server, installation.key);
      const keys: string[] = [];
      const write = async (key: string): Promise<void> => {
        assert.equal((await call('POST', '/api/memory', { key, content: `a thought, ${key}` })).status, 201);
        keys.push(key);
      };
      await write('before');
      {
        using idle = await openIdle(server.url, openFiles + 76);
        await eventually(() => idle.open() <= most, 'the oldest are closed');
        await write('meanwhile');
        assert.equal((await fetch(`${server.url}/-/live`)).status, 200);
        assert.equal((await fetch(`${server.url}/-/metrics`)).status, 200);
      }
      await write('after');
      assert.deepEqual((await memoryKeys(call)).toSorted(), keys.toSorted());
      assert.match(
        server.output,
        new RegExp(
          `${most} connections are open.*raise the limit on open files \\(ulimit -n\\), which is ${openFiles}`,
        ),
      );
      assert.equal(await server.end('SIGTERM'), 0, server.output);
    });
  }
});
