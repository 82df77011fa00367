/** Importing a plugin does nothing: what it does, it does in `setup`. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { importEffects } from '../../../../kernel/testing/plugin-contract.js';
import { root } from '../../../support/fixtures.js';

/** Folders with an `index.js`: `dataquery`, and of one that holds several plugins `storage/embedded`. */
const plugins = join(root, 'dist/plugins');
const builtIn = readdirSync(plugins, { recursive: true, encoding: 'utf8' })
  .filter((file) => /^[^/]+(\/[^/]+)?\/index\.js$/.test(file))
  .map((file) => dirname(file))
  .filter((folder, _, all) => !all.includes(dirname(folder)));

/** What a package does by itself when it is imported: lmdb keeps its open environments for its other copies. */
const ofPackages: Readonly<Record<string, readonly string[]>> = {
  'storage/embedded': ['global variables: __lmdb_read_callback', 'global variables: __lmdb_envs__'],
};

for (const name of builtIn) {
  test(`importing ${name} has no side effects`, async () => {
    const effects = await importEffects(pathToFileURL(join(plugins, name, 'index.js')));
    assert.deepEqual(effects, ofPackages[name] ?? []);
  });
}

test('a timer, a listener, a global and a variable that an import makes are found', async () => {
  const code = `setInterval(() => {}, 1000); process.on('SIGUSR2', () => {}); globalThis.mine = 1; process.env.MINE = 'x';`;
  const effects = await importEffects(new URL(`data:text/javascript,${encodeURIComponent(code)}`));
  for (const effect of ['Timeout', 'SIGUSR2', 'mine', 'MINE=x'])
    assert.ok(
      effects.some((line) => line.endsWith(effect)),
      effects.join(', '),
    );
});
