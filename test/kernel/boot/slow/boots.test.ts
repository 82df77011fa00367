import assert from 'node:assert/strict';
import { setFlagsFromString } from 'node:v8';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { definePlugin, token, Type } from 'plugboard/sdk';
import { bootTest } from 'plugboard/testing';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const closed = { additionalProperties: false } as const;
const THING = token<object>('boots.thing@1');

const provider = definePlugin({
  name: 'provider',
  api: 1,
  config: Type.Object({}, closed),
  provides: { thing: THING },
  setup: ({ onStop, signal }) => {
    const timer = setInterval(() => {}, 1000);
    onStop(() => clearInterval(timer));
    signal.addEventListener('abort', () => {}, { once: true });
    return { provides: { thing: {} } };
  },
});

const user = definePlugin({
  name: 'user',
  api: 1,
  config: Type.Object({ size: Type.Integer({ default: 1 }) }, closed),
  needs: { thing: THING },
  setup: ({ config }) => ({
    routes: (app) =>
      void app.get(
        '/size',
        { schema: { response: { 200: Type.Object({ size: Type.Integer() }) } } },
        () => config,
      ),
  }),
});

async function bootAndStop(): Promise<void> {
  const server = await bootTest({ plugins: [{ plugin: user }, { plugin: provider }] });
  await server.inject('/size');
  await server.stop();
}

async function heapUsed(): Promise<number> {
  for (let pass = 0; pass < 3; pass += 1) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    collect();
  }
  return process.memoryUsage().heapUsed;
}

test('10,000 boots and stops in one process leave no handle and no growing memory', async () => {
  for (let boot = 0; boot < 300; boot += 1) await bootAndStop();
  const handles = resources();
  const early = await heapUsed();
  for (let boot = 0; boot < 10_000; boot += 1) await bootAndStop();
  const late = await heapUsed();
  assert.deepEqual(resources(), handles);
  const grown = (late - early) / 10_000;
  console.log(
    `heap: ${(early / 2 ** 20).toFixed(1)} MiB after 300 boots, ${(late / 2 ** 20).toFixed(1)} MiB after 10,300: ${grown.toFixed(0)} bytes a boot`,
  );
  assert.ok(grown < 500, `${grown.toFixed(0)} bytes a boot`);
});

/** What keeps the process alive; a file operation in flight does not. */
function resources(): string[] {
  return process
    .getActiveResourcesInfo()
    .filter((kind) => !kind.startsWith('FSReq'))
    .toSorted();
}
