/** Importing a plugin does nothing: what it does, it does in `setup`. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { importEffects } from '../../kernel/testing/plugin-contract.js';
import { root } from '../support/fixtures.js';

const builtIn = readdirSync(join(root, 'dist/plugins'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

for (const name of builtIn) {
  test(`importing ${name} has no side effects`, async () => {
    assert.deepEqual(await importEffects(pathToFileURL(join(root, 'dist/plugins', name, 'index.js'))), []);
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
