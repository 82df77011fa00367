/** A real server that is killed in the middle of a call: its hold ends by its time. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { caller } from '../../../support/caller.js';
import { deployment } from '../../../support/servers/deployment.js';
import { eventually } from '../../../support/eventually.js';
import { SpawnedServer } from '../../../support/servers/spawned-server.js';
import { eachStore } from '../../../support/stores.js';
import { NO_PAUSES } from '../support.js';
import { speechUpstream, tone } from '../upstream-server.js';

/** A hold outlives it by ten seconds. */
const TIMEOUT = 5_000;
const FREED_WITHIN = 60_000;

eachStore('a server killed between reserve and settle', (store) => {
  test('has its hold freed, charges nothing, and the key speaks again', async () => {
    let asked: () => void = () => {};
    let isSilent = true;
    await using upstream = await speechUpstream((response) => {
      asked();
      if (!isSilent) response.end(tone(1));
    });
    const installation = deployment(await store.fresh(), {
      speech: {
        engines: ['a'],
        upstreams: [{ name: 'a', baseUrl: upstream.baseUrl }],
        monthlySeconds: 1,
        timeout: TIMEOUT,
        pauses: NO_PAUSES,
      },
    });
    const speak = (server: SpawnedServer): Promise<Response> =>
      caller(server, installation.key)('POST', '/api/v1/audio/speech', { voice: 'sera', input: '하나.' });
    const usage = async (server: SpawnedServer): Promise<{ used: number; reserved: number }> => {
      const answer = await caller(server, installation.key)('GET', '/api/v1/usage');
      const { used_seconds: used, reserved_seconds: reserved } = (await answer.json()) as never;
      return { used, reserved };
    };

    await using first = await SpawnedServer.start(installation);
    const engineWasAsked = new Promise<void>((resolve) => (asked = resolve));
    const cut = assert.rejects(speak(first));
    await engineWasAsked;
    const held = await usage(first);
    assert.ok(held.reserved > 1 && held.used === 0, JSON.stringify(held));
    await first.end('SIGKILL');
    await cut;

    isSilent = false;
    await using second = await SpawnedServer.start(installation);
    await eventually(async () => (await usage(second)).reserved === 0, 'the hold is freed', FREED_WITHIN);
    assert.equal((await speak(second)).status, 200);
    assert.deepEqual(await usage(second), { used: 1, reserved: 0 });
  });
});
