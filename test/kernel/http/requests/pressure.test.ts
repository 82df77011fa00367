import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'node:test';
import { definePlugin, Type } from 'plugboard/sdk';
import { eventually } from '../../../support/eventually.js';
import { bootTest, type AnyPlugin } from 'plugboard/testing';

function block(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

/** `start` keeps the event loop busy, as an import of many rows does; so does a request of `/busy`. */
function busyPlugin(atStart: number): AnyPlugin {
  const plugin = definePlugin({
    name: 'busy',
    api: 1,
    config: Type.Object({}, { additionalProperties: false }),
    setup: () => ({
      start: () => block(atStart),
      routes: (app) => {
        app.get('/work', () => ({}));
        app.get('/busy', () => {
          block(1_500);
          return {};
        });
      },
    }),
  });
  return plugin;
}

const server = { pressure: { eventLoopDelay: 100 } };

test('a start that kept the event loop busy does not make the first requests refused', async (t) => {
  const booted = await bootTest({ plugins: [{ plugin: busyPlugin(1_500) }], server });
  t.after(() => booted.stop());
  const url = await booted.listen();
  for (let request = 0; request < 5; request += 1) {
    assert.equal((await fetch(`${url}/work`)).status, 200);
    await sleep(50);
  }
});

test('while the event loop lags requests are refused, and the operator still sees the server', async (t) => {
  const booted = await bootTest({ plugins: [{ plugin: busyPlugin(0) }], server });
  t.after(() => booted.stop());
  await booted.listen();
  await eventually(async () => {
    await booted.inject('/busy');
    await sleep(0);
    const { statusCode, headers } = await booted.inject('/work');
    return statusCode === 503 && headers['retry-after'] === '1';
  }, 'a request is refused');
  assert.equal((await booted.inject('/-/live')).statusCode, 200);
});
