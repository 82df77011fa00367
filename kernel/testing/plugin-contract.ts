/** The conformance suite of the plugin contract, for our plugins and for everyone's. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { compileSchema } from '../config/compile.js';
import { validateValue } from '../config/validate.js';
import { API } from '../sdk/plugin/plugin.js';
import type { AnyPlugin, BootTestOptions, TestServer } from './boot-test.js';
import { answersByRoute } from './route-answers.js';

/** Of `settle`. */
const MOST_WAITS = 100;

export interface ContractOptions extends Omit<BootTestOptions, 'plugins'> {
  /** A config that a user might write. */
  config?: object;
  /** Where the plugin is imported from: `new URL('./index.js', import.meta.url)`. Its import is checked for side effects. */
  module?: URL;
}

/** Registers the tests that every plugin passes. `boot` holds what the plugin needs besides the providers, e.g. fakes. */
export function pluginContract(
  bootTest: (options: BootTestOptions) => Promise<TestServer>,
  plugin: AnyPlugin,
  { config = {}, module, ...boot }: ContractOptions = {},
): void {
  const start = (id: string, extra: BootTestOptions['plugins'] = []) =>
    bootTest({ ...boot, plugins: [{ plugin, id, config }, ...extra] });

  test(`${plugin.name}: its definition has a name, this api and a schema that compiles`, () => {
    assert.match(plugin.name, /^[a-z][a-z0-9-]*$/);
    assert.equal(plugin.api, API);
    assert.doesNotThrow(() => compileSchema(plugin.config as object));
  });

  test(`${plugin.name}: its example config is valid and a misspelled key is refused`, async () => {
    const check = (value: object) =>
      validateValue({ schema: plugin.config as object, value, path: [], expanded: new Set(), tested: false });
    assert.deepEqual(await check(structuredClone(config)), []);
    const misspelled = await check({ ...structuredClone(config), misspelledKey: 1 });
    const hint = 'the schema accepts unknown keys: Type.Object({...}, { additionalProperties: false })';
    assert.notDeepEqual(misspelled, [], hint);
  });

  if (module !== undefined) {
    test(`${plugin.name}: its import has no side effects`, async () => {
      assert.deepEqual(await importEffects(module), []);
    });
  }

  test(`${plugin.name}: it starts, is ready and stops`, async () => {
    const server = await start(plugin.name);
    const ready = await server.inject('/-/ready');
    assert.equal(ready.statusCode, 200, ready.body);
    await server.stop();
  });

  test(`${plugin.name}: it stops without handles left open and starts again`, async () => {
    await (await start(plugin.name)).stop();
    await settle();
    const before = openHandles();
    await (await start(plugin.name)).stop();
    // Leftovers of earlier tests may be released meanwhile. A busy machine closes handles late.
    const left = (): string[] => moreThan(before, openHandles());
    for (let waits = 0; waits < MOST_WAITS && left().length > 0; waits++) await settle();
    assert.deepEqual(left(), []);
  });

  test(`${plugin.name}: its routes answer under another prefix as they do under its own`, async () => {
    const [own, moved] = await Promise.all([
      start(plugin.name),
      bootTest({ ...boot, plugins: [{ plugin, config, prefix: '/moved/elsewhere' }] }),
    ]);
    try {
      const expected = await answersByRoute(own, plugin.name, plugin.prefix ?? '');
      assert.deepEqual(await answersByRoute(moved, plugin.name, '/moved/elsewhere'), expected);
    } finally {
      await Promise.all([own.stop(), moved.stop()]);
    }
  });

  const provides = Object.keys(plugin.provides ?? {}).length > 0;
  const reason = 'skipped: what it provides can be provided once';
  test(`${plugin.name}: two instances live side by side`, { skip: provides ? reason : false }, async () => {
    const second = `${plugin.name}-2`;
    const server = await start(plugin.name, [{ plugin, id: second, config, prefix: '/second' }]);
    try {
      assert.equal((await server.inject('/-/ready')).statusCode, 200);
      assert.deepEqual(
        await answersByRoute(server, second, '/second'),
        await answersByRoute(server, plugin.name, plugin.prefix ?? ''),
      );
    } finally {
      await server.stop();
    }
  });
}

/** The side effects of importing the module: timers, sockets, listeners, globals. */
export async function importEffects(module: URL): Promise<string[]> {
  const probe = join(import.meta.dirname, 'import-probe.js');
  const { stdout } = await promisify(execFile)(process.execPath, [probe, module.href]);
  return JSON.parse(stdout) as string[];
}

/** The resources that keep the event loop alive, by kind. */
function openHandles(): string[] {
  return process
    .getActiveResourcesInfo()
    .filter((kind) => kind !== 'Immediate' && kind !== 'TickObject')
    .toSorted();
}

/** The items of `now` that `before` lacks, counting duplicates. */
function moreThan(before: readonly string[], now: readonly string[]): string[] {
  const left = [...before];
  return now.filter((kind) => {
    const at = left.indexOf(kind);
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
}

function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 50));
}
