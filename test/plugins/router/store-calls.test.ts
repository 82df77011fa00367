/** What a call with a budget and limits asks of the store. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { definePlugin, Type, type Hooks } from 'plugboard/sdk';
import { bootRouter, chat } from './support/boot.js';

/** Notes the store calls that are made inside of calls of models. */
function observer(seen: string[]) {
  const hooks: Hooks = {
    call: { begin: () => 'call', end: () => undefined },
    store: {
      begin: ({ collection, operation }, outer) => {
        if (outer === 'call') seen.push(`${collection} ${operation}`);
      },
      end: () => undefined,
    },
  };
  return definePlugin({
    name: 'observer',
    api: 1,
    config: Type.Object({}, { additionalProperties: false }),
    observes: ['call', 'store'],
    setup: () => ({ hooks }),
  });
}

test('a call with a budget and limits asks the store for units in advance, and most calls ask nothing', async () => {
  const seen: string[] = [];
  await using router = await bootRouter(
    ['a'],
    {
      prices: { 'a/*': { input: 1, output: 1 } },
      allowances: {
        all: { limits: [{ requests: 1_000_000, tokens: 100_000_000 }], budget: { usd: 1_000 } },
      },
    },
    { plugins: [{ plugin: observer(seen) }] },
  );
  const ask = async (): Promise<void> => {
    const answer = await router.post('/v1/chat/completions', chat('a/m', { max_tokens: 2 }));
    assert.equal(answer.status, 200);
    await answer.text();
  };
  await ask();
  assert.ok(
    seen.includes('allowance_windows findOneAndUpdate'),
    `the observer sees the store: ${seen.join()}`,
  );
  // A window may end meanwhile: then each of the two limits a minute is taken of once more, and no more.
  const first = seen.length;
  for (let asked = 0; asked < 100; asked += 1) await ask();
  const more = seen.slice(first);
  assert.ok(more.length <= first, more.join());
  assert.ok(
    more.every((call) => call.startsWith('allowance_windows ')),
    more.join(),
  );
});
