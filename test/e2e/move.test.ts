/** What began on the embedded store moves to MongoDB and back, whole, also when an import is killed. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { stringify } from 'yaml';
import { caller } from '../support/caller.js';
import { root } from '../support/fixtures.js';
import { SpawnedServer } from '../support/servers/spawned-server.js';
import { mongodbMissing, mongodbUrl } from '../support/stores.js';

const PLUGINS = { memory: null, playground: null, router: null };
const ENTRIES = 100;

function plugboard(words: readonly string[], env: Record<string, string> = {}) {
  const script = join(root, 'dist/tools/plugboard.js');
  const child = spawn(process.execPath, [script, ...words], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, output }));
  return { child, ended };
}

async function succeeds(words: readonly string[]): Promise<string> {
  const { code, output } = await plugboard(words).ended;
  assert.equal(code, 0, output);
  return output;
}

describe('moving to another store', { skip: mongodbMissing }, () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plugboard-move-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  async function config(name: string, storage: object, sealKey?: string): Promise<string> {
    const file = join(folder, `${name}.yaml`);
    const secrets = sealKey === undefined ? {} : { secrets: { keys: [sealKey] } };
    const server = { port: 0, pressure: { eventLoopDelay: 0 } };
    await writeFile(
      file,
      stringify({ version: 1, server, providers: { storage, ...secrets }, plugins: PLUGINS }),
    );
    return file;
  }

  test('keys, memories, presets and sealed secrets answer as before, on MongoDB and back home', async () => {
    const home = await config('home', { use: 'embedded', path: join(folder, 'home') });
    const first = await SpawnedServer.run([home]);
    const key = /\bpb_[\w-]+/.exec(first.output)?.[0] ?? '';
    const call = caller(first, key);
    const stored: unknown[] = [];
    for (let at = 0; at < ENTRIES; at++) {
      const answer = await call('POST', '/api/memory', {
        key: `k${at}`,
        content: `She has ${at} red balloons.`,
      });
      assert.equal(answer.ok, true);
      stored.push(await answer.json());
    }
    const preset = await call('POST', '/api/playground/presets', {
      name: 'Short',
      endpoint: 'chat.completions',
      model: 'fast',
    });
    assert.equal(preset.ok, true, await preset.clone().text());
    const { id } = (await preset.json()) as { id: string };
    await first.end('SIGTERM');
    const file = join(folder, 'moved');
    assert.match(await succeeds(['data', 'export', file, '--config', home]), /exported \d+ documents/);

    const sealKey = (await readFile(join(folder, 'home/seal.key'), 'utf8')).trim();
    const database = `test_move_${Date.now()}`;
    const away = await config('away', { use: 'mongodb', url: await mongodbUrl(), database }, sealKey);
    // Killed at several instants of its life; the last one is let through.
    for (const wait of [700, 1100]) {
      const { child, ended } = plugboard(['data', 'import', file, '--replace', '--config', away]);
      await Promise.race([sleep(wait), ended]);
      child.kill('SIGKILL');
      await ended;
    }
    assert.match(
      await succeeds(['data', 'import', file, '--replace', '--config', away]),
      /all are as they were exported/,
    );
    {
      await using second = await SpawnedServer.run([away]);
      await same(caller(second, key), stored, id);
      await second.end('SIGTERM');
    }

    const back = join(folder, 'back');
    await succeeds(['data', 'export', back, '--config', away]);
    const again = await config('again', { use: 'embedded', path: join(folder, 'again') }, sealKey);
    await succeeds(['data', 'import', back, '--config', again]);
    await using third = await SpawnedServer.run([again]);
    await same(caller(third, key), stored, id);
  });

  async function same(
    call: ReturnType<typeof caller>,
    stored: readonly unknown[],
    preset: string,
  ): Promise<void> {
    for (const entry of [stored[0], stored[50], stored.at(-1)] as { id: string; content: string }[]) {
      const answer = await call('GET', `/api/memory/${entry.id}`);
      assert.equal(answer.status, 200, await answer.clone().text());
      const { needsReindex: _now, ...found } = (await answer.json()) as Record<string, unknown>;
      const { needsReindex: _then, ...before } = entry as unknown as Record<string, unknown>;
      assert.deepEqual(found, before);
    }
    const list = (await (await call('GET', '/api/memory?limit=1')).json()) as { total: number };
    assert.equal(list.total, ENTRIES);
    assert.equal((await call('GET', `/api/playground/presets/${preset}`)).status, 200);
  }

  test('a backup of a running server is restored into a fresh folder that starts', async () => {
    const live = await config('live', { use: 'embedded', path: join(folder, 'live') });
    const server = await SpawnedServer.run([live]);
    const key = /\bpb_[\w-]+/.exec(server.output)?.[0] ?? '';
    const call = caller(server, key);
    const entry = (await (
      await call('POST', '/api/memory', { key: 'tea', content: 'No sugar.' })
    ).json()) as {
      id: string;
    };
    const copy = join(folder, 'copy');
    assert.match(
      await succeeds(['data', 'backup', copy, '--config', live]),
      /with the key of the sealed secrets/,
    );
    await server.end('SIGKILL');

    const fresh = await config('fresh', { use: 'embedded', path: join(folder, 'fresh') });
    assert.match(
      await succeeds(['data', 'restore', copy, '--config', fresh]),
      /restored \d+ documents .* and checked them/,
    );
    await using restored = await SpawnedServer.run([fresh]);
    const found = await caller(restored, key)('GET', `/api/memory/${entry.id}`);
    assert.equal(found.status, 200, await found.text());
    // In front of the one that the fresh folder made for itself.
    const keys = (await readFile(join(folder, 'fresh/seal.key'), 'utf8')).split('\n');
    assert.equal(keys[0], (await readFile(join(folder, 'live/seal.key'), 'utf8')).trim());
  });
});
