/** Whatever a caller sends with the least key that opens a route, the server goes on answering others. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachStore } from '../../support/stores.js';
import { attack } from '../attack.js';
import { readCorpus } from '../corpus.js';
import { faultsOf } from '../faults.js';

/** Of the probe, in milliseconds: far above what a busy machine adds. `ratio.test.ts` holds the server to the real bound. */
const HELD_UP = 60_000;
const MB = 1024 * 1024;

eachStore('the hostile corpus', (store) => {
  test('leaves no 5xx, no request without an answer, no lasting memory, and a server that ends when asked', async (t) => {
    const whole = await readCorpus();
    // Some of the requests, which `ratio.test.ts` sends all; parsers, which most of them are about, are the same on both stores.
    const corpus = whole.filter((_, at) => (store.name === 'mongodb' ? at % 4 === 1 : at % 2 === 0));
    assert.ok(corpus.length >= 150, `${corpus.length} requests`);
    const found = await attack(corpus, await store.fresh());
    assert.deepEqual(faultsOf(found), []);
    const { outcomes, memory, exitCode } = found;
    const longest = Math.max(...outcomes.map(({ wait }) => wait));
    assert.ok(longest < HELD_UP, `the probe waited for ${longest} ms`);
    assert.equal(exitCode, 0);
    const grown = memory.at(-1)!.resident - memory[0]!.resident;
    t.diagnostic(`${outcomes.length} requests, memory +${Math.round(grown / MB)} MB`);
    assert.ok(grown < 400 * MB, `memory grew by ${Math.round(grown / MB)} MB`);
  });
});
