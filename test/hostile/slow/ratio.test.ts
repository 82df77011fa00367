/**
 * The bound itself: the longest wait of the probe is at most five times a bare `JSON.parse` of 1 MB in the same run.
 * Prints the table. Under `slow`, as a machine that does other work cannot hold it.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachStore } from '../../support/stores.js';
import { attack, type Outcome } from '../attack.js';
import { readCorpus } from '../corpus.js';

const RATIO = 5;

eachStore('the hostile corpus', (store) => {
  test('holds no other request up for longer than five times the parsing of 1 MB', async (t) => {
    const { outcomes, memory } = await attack(await readCorpus(), await store.fresh(), { exact: true });
    const yardstick = parseTime();
    const mb = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MB`;
    t.diagnostic(`JSON.parse of 1 MB: ${yardstick.toFixed(1)} ms`);
    t.diagnostic(`memory: ${mb(memory.before)} before, ${mb(memory.after)} after`);
    const worst = outcomes.toSorted((a, b) => b.wait - a.wait);
    for (const outcome of worst.slice(0, 40)) t.diagnostic(row(outcome, yardstick));
    assert.deepEqual(
      worst.filter(({ wait }) => wait > RATIO * yardstick).map((outcome) => row(outcome, yardstick)),
      [],
    );
  });
});

function row({ group, request, name, status, took, wait }: Outcome, yardstick: number): string {
  const times = (wait / yardstick).toFixed(1);
  return `${times.padStart(6)}x ${wait.toFixed(0).padStart(6)} ms  took ${took.toFixed(0).padStart(6)} ms  ${status}  ${group}: ${name}  ${request}`;
}

/** Milliseconds, the median of nine. */
function parseTime(): number {
  const row = (id: number) => ({ id, name: `name ${id}`, tags: ['a', 'b'], nested: { x: 1.5, y: null } });
  const rows = Array.from({ length: 13_000 }, (_, id) => row(id));
  const text = JSON.stringify(rows);
  assert.ok(text.length > 950_000 && text.length < 1_050_000, `${text.length} characters`);
  const times = Array.from({ length: 9 }, () => {
    const began = performance.now();
    JSON.parse(text);
    return performance.now() - began;
  });
  return times.toSorted((a, b) => a - b)[4] ?? 0;
}
