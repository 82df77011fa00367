/** Nothing forgotten: whatever is written, folded, changed, restored and deleted in turn, all that was stored and not deleted is said by a live entry. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { eachStore } from '../../../support/stores.js';
import { memoryServer, testClock, type Answer } from '../support/memory-server.js';

const DAY = 86_400_000;
const KEYS = ['a', 'b', 'c', 'd'];
const CONTENTS = ['likes green tea', 'plays the violin', 'lives by the harbour'];

const step = fc.oneof(
  fc.record({
    what: fc.constant('post' as const),
    key: fc.constantFrom(...KEYS),
    content: fc.constantFrom(...CONTENTS),
  }),
  fc.record({
    what: fc.constant('put' as const),
    at: fc.nat({ max: 3 }),
    patch: fc.oneof(
      fc.record({ content: fc.constantFrom(...CONTENTS) }),
      fc.record({ key: fc.constantFrom(...KEYS) }),
    ),
  }),
  fc.record({ what: fc.constantFrom('delete' as const, 'restore' as const), at: fc.nat({ max: 3 }) }),
  fc.record({ what: fc.constantFrom('fold' as const, 'fold' as const, 'fold at once' as const) }),
);

eachStore('nothing forgotten', (store) => {
  test('every content that was stored and not deleted is found by its key, or by the entry that replaces it', async () => {
    const clock = testClock();
    await using memory = await memoryServer({ storage: await store.fresh(), clock });
    let run = 0;
    let folded = 0;
    const steps = fc.array(step, { minLength: 5, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const apiKeyId = `owner-${(run += 1)}`;
        /** What a library that never folds would hold. */
        const stored = new Map<string, string>();
        /** Folded into one of several that say the same, of which one was deleted: perhaps with that one. */
        const unsure = new Map<string, string>();
        const live = async (): Promise<Answer[]> =>
          (await memory.call('GET', `/api/memory?apiKeyId=${apiKeyId}`)).body.data;
        const fold = () => memory.call('POST', '/api/memory/summarize', { apiKeyId, olderThanDays: 1 });
        const post = async (key: string, content: string): Promise<void> => {
          const { status } = await memory.call('POST', '/api/memory', { apiKeyId, key, content });
          assert.ok(status === 200 || status === 201);
          stored.set(key, content);
        };
        await post('a', CONTENTS[0]!);
        await post('b', CONTENTS[0]!);
        clock.advance(2 * DAY);
        folded += (await fold()).body.candidates;
        for (const one of all) {
          const entries = await live();
          const entry = 'at' in one ? entries[one.at % Math.max(1, entries.length)] : undefined;
          clock.advance(2 * DAY);
          if (one.what === 'post') await post(one.key, one.content);
          else if (one.what === 'fold') folded += (await fold()).body.candidates;
          else if (one.what === 'fold at once') await Promise.all([fold(), post('a', CONTENTS[run % 3]!)]);
          else if (entry === undefined) continue;
          else if (one.what === 'restore') await memory.call('POST', `/api/memory/${entry.id}/restore`);
          else if (one.what === 'delete') {
            await memory.call('DELETE', `/api/memory/${entry.id}`);
            stored.delete(entry.key);
            // What was folded into it says the same, and goes with it.
            const left = new Set((await live()).map(({ key }) => key));
            for (const [key, content] of stored) {
              if (left.has(key) || content !== entry.content) continue;
              stored.delete(key);
              unsure.set(key, content);
            }
          } else if (one.what === 'put') {
            const { status, body } = await memory.call('PUT', `/api/memory/${entry.id}`, one.patch);
            if (status === 409) continue;
            assert.equal(status, 200);
            stored.delete(entry.key);
            stored.set(body.key, body.content);
          }
          const said = await live();
          const byKey = new Map(said.map(({ key, content }) => [key, content]));
          const contents = new Set(byKey.values());
          for (const [key, content] of stored) {
            if (byKey.has(key)) assert.equal(byKey.get(key), content, JSON.stringify(one));
            else assert.ok(contents.has(content), `${key} "${content}" after ${JSON.stringify(one)}`);
          }
          for (const [key, content] of byKey) {
            if (!stored.has(key) && unsure.get(key) === content) stored.set(key, content);
            assert.ok(stored.has(key), `${key} after ${JSON.stringify(one)}`);
            unsure.delete(key);
          }
        }
      }),
      { numRuns: store.name === 'embedded' ? 6 : 3 },
    );
    assert.ok(folded >= run);
  });
});
