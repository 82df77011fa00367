/** Four processes on one MongoDB, all asked with one key at full speed for one window. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { mongodbMissing, mongodbUrl } from '../../../support/stores.js';
import { deployment } from '../../../support/servers/deployment.js';
import { root } from '../../../support/fixtures.js';
import { SpawnedServer } from '../../../support/servers/spawned-server.js';
import limitedPlugin from './limited-plugin.js';

const PROCESSES = 4;
const LIMIT = Number(process.env['LIMIT'] ?? 1500);
/** Seconds; long enough for the processes to ask for more than the limit. */
const WINDOW = Number(process.env['WINDOW'] ?? 60);

describe('one limit on four processes', { skip: mongodbMissing }, () => {
  test('is never exceeded and nearly used up', { timeout: 300_000 }, async (t) => {
    const storage = {
      use: 'mongodb',
      url: await mongodbUrl(),
      database: `test_limit_${Date.now()}`,
    } as const;
    const installation = deployment(storage, {
      ratelimit: { categories: { data: { key: LIMIT, window: WINDOW } } },
      [limitedPlugin.name]: { use: join(root, 'dist/test/plugins/ratelimit/slow/limited-plugin.js') },
    });
    const servers = await Promise.all(
      Array.from({ length: PROCESSES }, () => SpawnedServer.start(installation)),
    );
    const served: number[] = Array.from({ length: PROCESSES }, () => 0);
    let refused = 0;
    let reset: number | undefined;
    const ask = async (at: number): Promise<void> => {
      const server = servers[at];
      for (;;) {
        const answer = await fetch(`${server?.url}/limited`, {
          headers: { authorization: `Bearer ${installation.key}` },
        });
        await answer.text();
        const ends = Number(answer.headers.get('x-ratelimit-reset'));
        reset ??= ends;
        if (ends > reset) return;
        if (answer.status === 200) served[at] = (served[at] ?? 0) + 1;
        else {
          assert.equal(answer.status, 429);
          refused += 1;
        }
      }
    };
    await Promise.all(Array.from({ length: 4 * PROCESSES }, (_, at) => ask(at % PROCESSES)));
    for (const server of servers) assert.equal(await server.end('SIGTERM'), 0);
    const total = served.reduce((sum, each) => sum + each, 0);
    t.diagnostic(
      `limit ${LIMIT} in ${WINDOW} s: ${served.join(' + ')} = ${total} served, ${refused} refused`,
    );
    assert.ok(refused > 0, 'the processes were asked for more than the limit');
    assert.ok(total <= LIMIT, `${total} of ${LIMIT} were served`);
    assert.ok(total >= 0.98 * LIMIT, `${total} of ${LIMIT} were served`);
    assert.ok(
      served.every((each) => each > 0),
      'every process served some',
    );
  });
});
