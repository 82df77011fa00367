/** The life of one plugin: what it does too late, or after it was left out, has no effect. */
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { definePlugin, scoped, token, Type, type PluginDefinition } from 'plugboard/sdk';
import { bootTest, LogLines, type AnyPlugin } from 'plugboard/testing';
import { configFromValue } from '../../../kernel/config/read.js';
import { Kernel } from '../../../kernel/boot/kernel.js';
import { createLog } from '../../../kernel/boot/log.js';
import { prepare } from '../../../kernel/boot/plan/prepare.js';
import { builtins } from '../../../plugins/index.js';

const THING = token<object>('fixture.thing@1');
const closed = { additionalProperties: false } as const;
const late = { server: { setupTimeout: 50 } };

/** What a plugin did, and a gate that its slow phase waits at. */
class Story {
  readonly events: string[] = [];
  readonly #gate = deferred();
  signal: AbortSignal | undefined;

  readonly opened = this.#gate.promise;

  /** Lets the slow phase go on and waits until all that follows from it has happened. */
  async open(): Promise<void> {
    this.#gate.resolve();
    for (let turn = 0; turn < 5; turn += 1) await setImmediate();
  }
}

function deferred() {
  let resolve = (): void => {};
  const promise = new Promise<void>((settle) => (resolve = settle));
  return { promise, resolve };
}

function slow(story: Story, phase: 'setup' | 'routes' | 'start'): AnyPlugin {
  const wait = async (at: string): Promise<void> => {
    if (at !== phase) return;
    await story.opened;
    story.events.push(`${at} ended`);
  };
  return definePlugin({
    name: 'slow',
    api: 1,
    config: Type.Object({}, closed),
    provides: { thing: THING },
    async setup({ onStop, signal }) {
      story.signal = signal;
      onStop(() => story.events.push('released'));
      await wait('setup');
      onStop(() => story.events.push('released what was acquired late'));
      return {
        provides: { thing: {} },
        async routes(app) {
          app.get('/slow', () => ({ ok: true }));
          await wait('routes');
        },
        async start() {
          if (phase === 'setup') story.events.push('started');
          await wait('start');
          if (phase === 'start') onStop(() => story.events.push('released what start acquired'));
        },
        check: () => story.events.push('checked'),
        commands: [{ name: 'slow command', summary: 'none', run: () => {} }],
      };
    },
  });
}

const user = definePlugin({
  name: 'user',
  api: 1,
  config: Type.Object({}, closed),
  needs: { thing: THING },
  setup: () => ({ routes: (app) => void app.get('/user', () => ({ ok: true })) }),
});

test('an optional plugin whose set-up ends after its deadline never comes back', async () => {
  const story = new Story();
  await using server = await bootTest({
    ...late,
    plugins: [{ plugin: slow(story, 'setup'), optional: true }, { plugin: user }],
  });
  assert.deepEqual(story.events, ['released']);
  assert.equal(story.signal?.aborted, true);
  await story.open();
  assert.deepEqual(story.events, ['released', 'setup ended', 'released what was acquired late']);

  const ready = (await server.inject('/-/ready')).json<{ degraded: string[]; plugins: object }>();
  assert.deepEqual(ready.degraded, ['slow', 'user']);
  assert.ok(!('slow' in ready.plugins), 'its check does not run');
  assert.equal((await server.inject('/slow')).statusCode, 404);
  assert.throws(() => server.service(THING), /nothing provides fixture\.thing@1/);
  assert.match((await server.command(['slow', 'command'])).stderr, /there is no command/);
});

for (const phase of ['routes', 'start'] as const) {
  test(`an optional plugin whose ${phase} ends after its deadline is out, with those that need it`, async () => {
    const story = new Story();
    await using server = await bootTest({
      ...late,
      plugins: [{ plugin: slow(story, phase), optional: true }, { plugin: user }],
    });
    assert.equal(story.signal?.aborted, true);
    await story.open();
    const released = ['released what was acquired late', 'released'];
    const after = [`${phase} ended`, ...(phase === 'start' ? ['released what start acquired'] : [])];
    assert.deepEqual(story.events, [...released, ...after]);
    assert.equal((await server.inject('/slow')).statusCode, 404);
    assert.equal((await server.inject('/user')).statusCode, 404);
    const ready = (await server.inject('/-/ready')).json<{ degraded: string[] }>();
    assert.deepEqual(ready.degraded, ['slow', 'user']);
  });
}

test('a needed plugin that sets up too late ends the boot, and what it acquires later is released', async () => {
  const story = new Story();
  await assert.rejects(bootTest({ ...late, plugins: [{ plugin: slow(story, 'setup') }] }), /within 50 ms/);
  assert.deepEqual([story.signal?.aborted, story.events], [true, ['released']]);
  await story.open();
  assert.deepEqual(story.events, ['released', 'setup ended', 'released what was acquired late']);
});

test('a late release that fails is in the log', async () => {
  const log = new LogLines();
  const gate = deferred();
  const plugin = definePlugin({
    name: 'late-release',
    api: 1,
    config: Type.Object({}, closed),
    async setup({ onStop }) {
      await gate.promise;
      onStop(() => {
        throw new Error('cannot close');
      });
      return {};
    },
  });
  const server = await bootTest({ ...late, log, plugins: [{ plugin, optional: true }] });
  gate.resolve();
  for (let turn = 0; turn < 5; turn += 1) await setImmediate();
  assert.ok(log.lines.some((line) => line.includes('cannot close') && line.includes('late-release')));
  await assert.rejects(server.stop(), /releases failed: late-release/);
});

for (const phase of ['routes', 'start'] as const) {
  test(`a plugin whose wanted provider fails in ${phase} is set up again without it`, async () => {
    const events: string[] = [];
    const plugin = (name: string, extra: Partial<PluginDefinition>, fails?: 'routes' | 'start'): AnyPlugin =>
      definePlugin({
        name,
        api: 1,
        config: Type.Object({}, closed),
        ...extra,
        setup: ({ onStop, needs, wants }) => {
          const thing = { ...needs, ...wants }['thing'] === undefined ? 'without' : 'with';
          events.push(`${name} up ${thing}`);
          onStop(() => events.push(`${name} released`));
          const fail = (): never => {
            throw new Error('no');
          };
          return { provides: { thing: {} }, ...(fails && { [fails]: fail }) };
        },
      });
    await using server = await bootTest({
      plugins: [
        { plugin: plugin('provider', { provides: { thing: THING } }, phase), optional: true },
        { plugin: plugin('needy', { needs: { thing: THING } }) },
        { plugin: plugin('wanting', { wants: { thing: THING } }) },
      ],
    });
    assert.deepEqual(events, [
      'provider up without',
      'needy up with',
      'wanting up with',
      'wanting released',
      'needy released',
      'provider released',
      'wanting up without',
    ]);
    const ready = await server.inject('/-/ready');
    assert.deepEqual(ready.json<{ degraded: string[] }>().degraded, ['provider', 'needy']);
    assert.equal(ready.statusCode, 200);
  });
}

test('a scoped service is told when its consumer is left out', async () => {
  const consumers: Record<string, AbortSignal> = {};
  const provider = definePlugin({
    name: 'provider',
    api: 1,
    config: Type.Object({}, closed),
    provides: { thing: THING },
    setup: () => ({
      provides: {
        thing: scoped(({ id, signal }) => {
          consumers[id] = signal;
          return {};
        }),
      },
    }),
  });
  const failing = definePlugin({
    name: 'failing',
    api: 1,
    config: Type.Object({}, closed),
    needs: { thing: THING },
    setup: () => Promise.reject(new Error('no')),
  });
  const server = await bootTest({
    plugins: [{ plugin: provider }, { plugin: failing, optional: true }, { plugin: user }],
  });
  assert.deepEqual([consumers['failing']?.aborted, consumers['user']?.aborted], [true, false]);
  await server.stop();
  assert.equal(consumers['user']?.aborted, true);
});

test('a stop while a plugin is set up waits for nothing, and the plugin does not come up afterwards', async () => {
  const story = new Story();
  const source = configFromValue('test', { version: 1, plugins: { slow: null } });
  const plugins = { slow: () => Promise.resolve({ default: slow(story, 'setup') }) };
  const { plan } = await prepare({
    source,
    builtins: { ...builtins, plugins },
    env: {},
    baseDir: import.meta.dirname,
  });
  assert.ok(plan);
  const log = await createLog({ level: 'silent', format: 'json' });
  const kernel = new Kernel(plan, { log, stdout: new PassThrough() });
  const boot = assert.rejects(kernel.setup(), /stopped while it was set up/);
  await setImmediate();
  assert.deepEqual(await kernel.stop(), []);
  await story.open();
  await boot;
  assert.deepEqual(story.events, ['released', 'setup ended', 'released what was acquired late']);
  assert.deepEqual(kernel.commands(), []);
});
