/**
 * The bounds themselves: the longest wait of the probe is at most five times a bare `JSON.parse` of 1 MB in the same
 * run, and a second pass over the corpus leaves no more memory taken than the first. Prints the table. Under `slow`,
 * as a busy machine cannot hold it. HOSTILE_ONLY runs the cases whose names match a pattern,
 * HOSTILE_LOG a file that gets a line for each at once, and `-- --test-name-pattern=mongodb` runs one store alone.
 */
import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { test } from 'node:test';
import { eachStore } from '../../support/stores.js';
import { attackOneByOne, type Judged, type Memory } from '../attack.js';
import { readCorpus } from '../corpus.js';
import { faultsOf } from '../faults.js';

const RATIO = 5;

const MB = 1024 * 1024;
/** Bytes that a second pass may add: the store caches up to 32 MB of what it adds, and allocators keep pages. */
const MORE_HEAP = 16 * MB;
const MORE_RESIDENT = 64 * MB;

const only = new RegExp(process.env['HOSTILE_ONLY'] ?? '');
const passes = Number(process.env['HOSTILE_PASSES'] ?? 2);
const log = process.env['HOSTILE_LOG'];

eachStore('the hostile corpus', (store) => {
  test('holds no other request up for longer than five times the parsing of 1 MB, and leaves no memory taken', async (t) => {
    const corpus = (await readCorpus({ more: true })).filter(({ group, name }) =>
      only.test(`${group}: ${name}`),
    );
    const found = await attackOneByOne(corpus, await store.fresh(), {
      passes,
      ratio: RATIO,
      onJudged: (outcome) => {
        if (log !== undefined) appendFileSync(log, `${store.name} ${row(outcome)}\n`);
      },
    });
    const { outcomes, memory, yardstick } = found;
    t.diagnostic(`${outcomes.length} requests; JSON.parse of 1 MB: ${yardstick.toFixed(1)} ms`);
    t.diagnostic(`memory, warm and after each pass: ${memory.map(shown).join('; ')}`);
    const worst = outcomes.toSorted((a, b) => b.times - a.times);
    for (const outcome of worst.slice(0, 40)) t.diagnostic(row(outcome));
    assert.deepEqual(faultsOf(found), []);
    assert.deepEqual(worst.filter(({ times }) => times > RATIO).map(row), []);
    const [, first, second] = memory;
    if (first === undefined || second === undefined) return;
    assert.ok(second.heap - first.heap < MORE_HEAP, `the heap grew: ${memory.map(shown).join('; ')}`);
    assert.ok(
      second.resident - first.resident < MORE_RESIDENT,
      `resident memory grew: ${memory.map(shown).join('; ')}`,
    );
  });
});

function shown({ heap, resident }: Memory): string {
  return `heap ${Math.round(heap / MB)} MB, resident ${Math.round(resident / MB)} MB`;
}

function row({ group, request, name, status, took, wait, times }: Judged): string {
  return `${times.toFixed(1).padStart(6)}x ${wait.toFixed(0).padStart(6)} ms  took ${took.toFixed(0).padStart(6)} ms  ${status}  ${group}: ${name}  ${request}`;
}
