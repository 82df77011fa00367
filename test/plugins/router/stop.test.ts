import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deployment, type Deployment } from '../../support/servers/deployment.js';
import { SpawnedServer } from '../../support/servers/spawned-server.js';
import { eachStore } from '../../support/stores.js';
import { TestUpstream } from '../../support/peers/upstream.js';
import { chat } from './support/boot.js';

const PIECES = 20;

eachStore('the router at its end', (store) => {
  test('SIGTERM lets streams and calls in flight end whole, and no usage is lost', async () => {
    await using upstream = await TestUpstream.start('a');
    const installation = deployment(await store.fresh(), {
      router: { upstreams: [{ name: 'a', baseUrl: upstream.url, models: ['m'] }] },
    });
    await using server = await SpawnedServer.start(installation);
    upstream.always({ kind: 'paced', pieces: PIECES, every: 50 });
    const streams = await Promise.all([1, 2, 3].map(() => post(server, installation, { stream: true })));
    const called = new Promise((resolve) => upstream.once('request', () => resolve(undefined)));
    upstream.always({ kind: 'slow', delay: 500 });
    const call = post(server, installation);
    await called;

    const ended = server.end('SIGTERM');
    for (const stream of streams) {
      const text = await stream.text();
      assert.equal(text.match(/"content":"\d+ "/g)?.length, PIECES);
      assert.match(text, /data: \[DONE\]\n\n$/);
    }
    assert.equal((await call).status, 200);
    assert.equal(await ended, 0, server.output);

    await using again = await SpawnedServer.start(installation);
    const usage = await fetch(`${again.url}/api/usage`, {
      headers: { authorization: `Bearer ${installation.key}` },
    });
    const { total } = (await usage.json()) as { total: Record<string, number> };
    assert.deepEqual([total['calls'], total['errors'], total['tokensIn']], [4, 0, 28]);
    await again.end('SIGTERM');
  });
});

function post({ url }: SpawnedServer, { key }: Deployment, more: object = {}): Promise<Response> {
  return fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(chat('a/m', more)),
  });
}
