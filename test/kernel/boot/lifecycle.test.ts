import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { definePlugin, token, Type, type PluginDefinition } from 'plugboard/sdk';
import { bootTest, LogLines, type AnyPlugin } from 'plugboard/testing';
import { fixturePlugin } from '../../support/fixtures.js';

const failingSetup = await fixturePlugin('failing-setup');
const slowSetup = await fixturePlugin('slow-setup');

const THING = token<object>('fixture.thing@1');
const closed = { additionalProperties: false } as const;

const user = definePlugin({
  name: 'user',
  api: 1,
  config: Type.Object({}, closed),
  needs: { thing: THING },
  setup: () => ({ routes: (app) => void app.get('/user', () => ({ ok: true })) }),
});

function recorder(name: string, events: string[], extra: Partial<PluginDefinition> = {}): AnyPlugin {
  return definePlugin({
    name,
    api: 1,
    config: Type.Object({}, closed),
    ...extra,
    setup: ({ onStop, signal }) => {
      events.push(`${name} set up`);
      onStop(() => events.push(`${name} first release`));
      onStop(() => events.push(`${name} second release, aborted ${signal.aborted}`));
      return { provides: {}, start: () => void events.push(`${name} started`) };
    },
  });
}

test('plugins are set up in order, started after all are set up, and released last in, first out', async () => {
  const events: string[] = [];
  const server = await bootTest({
    plugins: [{ plugin: recorder('a', events) }, { plugin: recorder('b', events) }],
  });
  await server.stop();
  assert.deepEqual(events, [
    'a set up',
    'b set up',
    'a started',
    'b started',
    'b second release, aborted true',
    'b first release',
    'a second release, aborted true',
    'a first release',
  ]);
});

for (const phase of ['setup', 'routes', 'start'] as const) {
  test(`a failure in ${phase} ends the boot, names plugin and phase, and releases what was acquired`, async () => {
    const events: string[] = [];
    const boot = bootTest({
      plugins: [{ plugin: recorder('a', events) }, { plugin: failingSetup, config: { phase } }],
    });
    await assert.rejects(boot, { message: `plugin "failing-setup" failed in ${phase}: the disk is on fire` });
    assert.ok(events.includes('a first release'));
  });

  test(`an optional plugin that fails in ${phase} is left out, with those that need it`, async () => {
    const server = await bootTest({
      plugins: [{ plugin: failingSetup, config: { phase }, optional: true }, { plugin: user }],
    });
    const ready = await server.inject('/-/ready');
    assert.equal(ready.statusCode, 200);
    assert.deepEqual(ready.json<{ degraded: string[] }>().degraded, ['failing-setup', 'user']);
    const answer = await server.inject('/user');
    assert.ok([404, 503].includes(answer.statusCode), answer.body);
    await server.stop();
  });
}

/** As a plugin that was not compiled against the contract may return it. */
function returning(contribution: unknown): AnyPlugin {
  return { name: 'untyped', api: 1, config: Type.Object({}, closed), setup: () => contribution } as AnyPlugin;
}

for (const [contribution, message] of [
  [undefined, /setup must return an object, at least \{\}, and returned undefined$/],
  [{ route: () => {} }, /setup returned an unknown key "route"; did you mean "routes"\?/],
  [{ routes: {} }, /setup returned "routes" as object; it must be a function$/],
  [{ commands: {} }, /setup returned "commands" as object; it must be an array$/],
] as const) {
  test(`a setup that returns ${JSON.stringify(contribution)} ends the boot and says what is wrong`, async () => {
    await assert.rejects(bootTest({ plugins: [{ plugin: returning(contribution) }] }), message);
  });
}

test('what a plugin throws is told also when it is no Error', async () => {
  const plugin = definePlugin({
    name: 'text',
    api: 1,
    config: Type.Object({}, closed),
    setup: () => {
      // oxlint-disable-next-line typescript/only-throw-error
      throw 'just a text';
    },
  });
  await assert.rejects(bootTest({ plugins: [{ plugin }] }), /failed in setup: just a text$/);
});

test('two plugins with the same route end the boot, and the message names the other and says to set a prefix', async () => {
  const plugin = definePlugin({
    name: 'twice',
    api: 1,
    config: Type.Object({}, closed),
    setup: () => ({ routes: (app) => void app.get('/twice', () => ({})) }),
  });
  const boot = bootTest({ plugins: [{ plugin }, { plugin, id: 'again' }] });
  const taken =
    'plugin "again" failed in routes: GET /twice is mounted by plugin "twice"; set a "prefix" for one of them';
  await assert.rejects(boot, { message: taken });
  const prefixed = await bootTest({ plugins: [{ plugin }, { plugin, id: 'again', prefix: '/again' }] });
  assert.equal((await prefixed.inject('/again/twice')).statusCode, 200);
  await prefixed.stop();
});

test('a route that is there twice is told with whose it is', async () => {
  const mounting = (name: string, ...paths: string[]) => ({
    plugin: definePlugin({
      name,
      api: 1,
      config: Type.Object({}, closed),
      setup: () => ({
        routes: (app) => paths.forEach((path) => void app.get(path, () => ({}))),
      }),
    }),
  });
  const refusal = (...plugins: ReturnType<typeof mounting>[]): Promise<unknown> =>
    bootTest({ plugins }).then(
      () => undefined,
      (error: unknown) => (error as Error).message,
    );
  assert.equal(
    await refusal(mounting('own', '/a/:id', '/b', '/a/:other')),
    'plugin "own" failed in routes: GET /a/:other is mounted twice by this plugin as GET /a/:id',
  );
  assert.equal(
    await refusal(mounting('first', '/a/:id'), mounting('second', '/a/:other')),
    'plugin "second" failed in routes: GET /a/:other is mounted by plugin "first" as GET /a/:id; set a "prefix" for one of them',
  );
  assert.equal(
    await refusal(mounting('live', '/-/live')),
    'plugin "live" failed in routes: GET /-/live is a route of the server; give the plugin\'s another path',
  );
});

test('a setup that does not return what the plugin says it provides ends the boot', async () => {
  const boot = bootTest({ plugins: [{ plugin: failingSetup, config: { phase: 'forgets' } }] });
  await assert.rejects(boot, /setup did not return "thing" \(fixture\.thing@1\)/);
});

test('a setup that does not end fails at its deadline, with the likely cause', async () => {
  const boot = bootTest({ plugins: [{ plugin: slowSetup }], server: { setupTimeout: 30 } });
  await assert.rejects(
    boot,
    /plugin "slow-setup" failed in setup: did not end within 30 ms\. You may have forgotten to resolve a promise/,
  );
});

test('a start that reports progress does not time out, however long it takes', async () => {
  const STEPS = 45;
  const steps: number[] = [];
  const importer = definePlugin({
    name: 'importer',
    api: 1,
    config: Type.Object({}, closed),
    setup: ({ progress }) => ({
      async start() {
        // Longer than the limit in all, and far from it between two steps.
        for (let step = 0; step < STEPS; step += 1) {
          await setTimeout(50);
          progress();
          steps.push(step);
        }
      },
    }),
  });
  const server = await bootTest({ plugins: [{ plugin: importer }], server: { setupTimeout: 2_000 } });
  assert.equal(steps.length, STEPS);
  await server.stop();
});

test('a release that throws does not keep the others from running and is reported', async () => {
  const events: string[] = [];
  const log = new LogLines();
  const server = await bootTest({
    plugins: [{ plugin: recorder('a', events) }, { plugin: failingSetup, config: { phase: 'stop' } }],
    log,
  });
  await assert.rejects(server.stop(), /releases failed: failing-setup/);
  assert.ok(events.includes('a first release'));
  assert.ok(log.lines.some((line) => line.includes('release failed')));
});

test('two kernels in one process, with different configs, do not touch each other', async () => {
  const plugin = definePlugin({
    name: 'word',
    api: 1,
    config: Type.Object({ word: Type.String() }, closed),
    setup: ({ config }) => ({ routes: (app) => void app.get('/word', () => ({ word: config.word })) }),
  });
  const one = await bootTest({ plugins: [{ plugin, config: { word: 'one' } }] });
  const two = await bootTest({ plugins: [{ plugin, config: { word: 'two' } }] });
  assert.deepEqual((await one.inject('/word')).json(), { word: 'one' });
  await one.stop();
  assert.deepEqual((await two.inject('/word')).json(), { word: 'two' });
  assert.doesNotMatch((await two.inject('/-/metrics')).body, /word="one"/);
  await two.stop();
});

test('a plugin reaches what it declared and nothing else, also through its container', async () => {
  let seen: { needs: string[]; wants: string[]; undeclared: unknown } | undefined;
  const HIDDEN = token<object>('fixture.hidden@1');
  const hidden = definePlugin({
    name: 'hidden',
    api: 1,
    config: Type.Object({}, closed),
    provides: { hidden: HIDDEN },
    setup: () => ({ provides: { hidden: {} } }),
  });
  const curious = definePlugin({
    name: 'curious',
    api: 1,
    config: Type.Object({}, closed),
    wants: { thing: THING },
    setup: ({ needs, wants, container }) => {
      let undeclared: unknown;
      try {
        undeclared = container.resolve(HIDDEN.key as never);
      } catch (error) {
        undeclared = (error as Error).message;
      }
      seen = { needs: Object.keys(needs), wants: Object.keys(wants), undeclared };
      return {};
    },
  });
  const server = await bootTest({ plugins: [{ plugin: hidden }, { plugin: curious }] });
  assert.deepEqual(seen?.needs, []);
  assert.deepEqual(seen?.wants, []);
  assert.match(String(seen?.undeclared), /is not declared/);
  await server.stop();
});

test('a second stop is the first one: releases run once', async () => {
  const events: string[] = [];
  const server = await bootTest({ plugins: [{ plugin: recorder('a', events) }] });
  await Promise.all([server.stop(), server.stop()]);
  assert.equal(events.filter((event) => event === 'a first release').length, 1);
});

test('what start acquires is released before what the set-up of any plugin acquired', async () => {
  const events: string[] = [];
  const provider = definePlugin({
    name: 'provider',
    api: 1,
    config: Type.Object({}, closed),
    provides: { thing: THING },
    setup: ({ onStop }) => {
      onStop(() => events.push('provider'));
      return {
        provides: { thing: {} },
        start: () => onStop(() => events.push('background work of provider')),
      };
    },
  });
  const server = await bootTest({ plugins: [{ plugin: provider }, { plugin: recorder('b', events) }] });
  events.length = 0;
  await server.stop();
  assert.deepEqual(events, [
    'background work of provider',
    'b second release, aborted true',
    'b first release',
    'provider',
  ]);
});

test('many streams that end with the server are no leak that Node warns of', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error): void => void warnings.push(warning);
  process.on('warning', note);
  try {
    const streams = definePlugin({
      name: 'streams',
      api: 1,
      config: Type.Object({}, closed),
      setup({ draining }) {
        for (let at = 0; at < 100; at += 1) draining.addEventListener('abort', () => {});
        return {};
      },
    });
    await (await bootTest({ plugins: [{ plugin: streams }] })).stop();
    assert.deepEqual(warnings, []);
  } finally {
    process.off('warning', note);
  }
});
