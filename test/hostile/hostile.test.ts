/** Whatever a caller sends with the least key that opens a route, the server goes on answering others. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachStore } from '../support/stores.js';
import { attack } from './attack.js';
import { readCorpus } from './corpus.js';

/** Of the probe, in milliseconds: far above what a busy machine adds. `slow/` holds the server to the real bound. */
const HELD_UP = 10_000;
const MB = 1024 * 1024;

eachStore('the hostile corpus', (store) => {
  test('leaves no 5xx, no request without an answer, no lasting memory, and a server that ends when asked', async (t) => {
    const whole = await readCorpus();
    // Parsers, which most of the corpus is about, are the same on both stores: here every third request, in `slow/` all.
    const corpus = store.name === 'mongodb' ? whole.filter((_, at) => at % 3 === 0) : whole;
    assert.ok(corpus.length >= 150, `${corpus.length} requests`);
    const { outcomes, memory, exitCode } = await attack(corpus, await store.fresh(), { passes: 1 });
    // 503 is what a server says that protects itself, 501 what a plugin says that it does not do, and 502 what it
    // says of the model, which here answers every prompt with "yes".
    const meant = ({ status, body }: (typeof outcomes)[number]): boolean =>
      status === 503 ||
      status === 501 ||
      (status === 502 && body.includes('"code":"upstream_invalid_response"'));
    const faults = outcomes.filter(
      (outcome) =>
        (outcome.status >= 500 && !meant(outcome)) || outcome.status === -1 || outcome.wait > HELD_UP,
    );
    assert.deepEqual(faults, []);
    assert.equal(exitCode, 0);
    const grown = memory.at(-1)!.resident - memory[0]!.resident;
    t.diagnostic(`${outcomes.length} requests, memory +${Math.round(grown / MB)} MB`);
    assert.ok(grown < 400 * MB, `memory grew by ${Math.round(grown / MB)} MB`);
  });
});
