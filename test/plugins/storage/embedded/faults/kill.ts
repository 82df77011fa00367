/** Kills writers at a random instant and compares the store with what they had acknowledged. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { TestContext } from 'node:test';
import { openStore, type Row } from '../open.js';
import { ROWS } from '../rows.js';

const WRITER = fileURLToPath(new URL('./writer.js', import.meta.url));

/** Resolves to what the writer acknowledged before it was killed: the last word on each id; null: deleted. */
export async function writeAndKill(directory: string, name: string): Promise<Map<string, number | null>> {
  const child = spawn(process.execPath, [WRITER, directory, name], { stdio: ['ignore', 'pipe', 'inherit'] });
  const output = text(child.stdout);
  await once(child.stdout, 'readable');
  await sleep(Math.random() * 100);
  child.kill('SIGKILL');
  const acknowledged = new Map<string, number | null>();
  // The last line may be cut.
  for (const line of (await output).split('\n').slice(0, -1)) {
    const [what, id = '', n] = line.split(' ');
    acknowledged.set(id, what === 'delete' ? null : Number(n));
  }
  return acknowledged;
}

/** A writer on one store is killed and the store looked at, `rounds` times over. Returns what was acknowledged. */
export async function killRounds(t: TestContext, rounds: number): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), 'plugboard-kill-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  let total = 0;
  for (let round = 0; round < rounds; round++) {
    const acknowledged = await writeAndKill(directory, `w${round}`);
    const { store, storage } = await openStore(t, { directory });
    const rows = storage.collection<Row>(ROWS);
    for (const [id, n] of acknowledged) {
      const row = await rows.findOne({ _id: id });
      // A later write may be stored whose acknowledgement the kill cut off: n only moves on.
      if (n === null) assert.equal(row, null, `${id} was deleted`);
      else if (n === -1) assert.equal(row?.['n'], -1, `${id} was in a transaction`);
      else
        assert.ok(
          row === null ? n >= 1000 : n === row['n'] || row['n'] === n + 1000 || row['n'] === -1,
          `${id} was ${n}`,
        );
      total++;
    }
    const halves = await rows.find({ n: -1 }).toArray();
    for (const half of halves) assert.equal(await rows.findOne({ _id: String(half['pair']) }), null);
    assert.deepEqual((await store.check()).faults, []);
    await store.close();
  }
  return total;
}
