/** What the author of a plugin reads when its module cannot be imported. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { loadPlugin } from '../../../../kernel/boot/plan/load.js';

const folder = mkdtempSync(join(tmpdir(), 'plugboard-import-'));
after(() => rmSync(folder, { recursive: true, force: true }));

async function refusal(name: string, text?: string): Promise<string> {
  if (text !== undefined) writeFileSync(join(folder, name), text);
  try {
    await loadPlugin(`./${name}`, {}, folder);
  } catch (error) {
    return (error as Error).message;
  }
  return 'was imported';
}

test('a module that does not parse is told with the file and the line', async () => {
  assert.match(
    await refusal('syntax.mjs', '\nexport default {;\n'),
    /^importing "\.\/syntax\.mjs" failed: .* \(syntax\.mjs:2\)$/,
  );
});

test('a module that does not parse, imported by the plugin, is told with its own file', async () => {
  writeFileSync(join(folder, 'part.mjs'), '\n\nconst = 1;\n');
  assert.match(await refusal('whole.mjs', "import './part.mjs';\n"), / \(part\.mjs:3\)$/);
});

test('a module that throws as it is imported is told with the line that throws', async () => {
  const message = await refusal('throws.mjs', '\nundefined.length;\n');
  assert.match(
    message,
    /failed: Cannot read properties of undefined \(reading 'length'\) \(throws\.mjs:2\)$/,
  );
});

test('a name that the imported module does not export is told with the line of the import', async () => {
  const message = await refusal('name.mjs', "import { nothing } from 'node:fs';\n");
  assert.match(message, /does not provide an export named 'nothing' \(name\.mjs:1\)$/);
});

test('a package that the plugin imports and that is not installed is not taken for the plugin itself', async () => {
  const message = await refusal('package.mjs', "import 'no-such-package';\n");
  assert.equal(
    message,
    'importing "./package.mjs" failed: Cannot find package \'no-such-package\' imported from package.mjs',
  );
});

test('a file that is not there is told as such', async () => {
  assert.match(await refusal('nowhere.mjs'), /^there is no file for "\.\/nowhere\.mjs"/);
});

test('a definition with a misspelled key is refused with the key that was meant', async () => {
  const text =
    "export default { name: 'a', api: 1, config: { type: 'object', additionalProperties: false }, setup() {}, need: {} };";
  assert.match(await refusal('misspelled.mjs', text), /unknown key "need"; did you mean "needs"\?/);
});

test('TypeScript that Node cannot run is told with the file that the compiler makes of it', async () => {
  const source = 'enum Plain { One }\nexport default Plain;\n';
  const advised = async (file: string): Promise<string | undefined> =>
    /compile it \(npx tsc\) and say use: (.+)$/.exec(await refusal(file, source))?.[1];
  mkdirSync(join(folder, 'parcels/src'), { recursive: true });
  assert.equal(await advised('parcels/alone.ts'), './parcels/alone.js');
  const config = (options: string) => writeFileSync(join(folder, 'parcels/tsconfig.json'), options);
  config(
    '{\n  // as tsc --init writes it\n  "compilerOptions": { "rootDir": ".", /* where */ "outDir": "dist", },\n}',
  );
  assert.equal(await advised('parcels/index.ts'), './parcels/dist/index.js');
  assert.equal(await advised('parcels/src/index.ts'), './parcels/dist/src/index.js');
  config('{ "compilerOptions": { "outDir": "./dist" } }');
  assert.equal(await advised('parcels/src/other.ts'), './parcels/dist/other.js');
});

test('a folder is told with the file in it', async () => {
  mkdirSync(join(folder, 'made'));
  assert.equal(await refusal('made'), '"./made" is a folder; name a file, e.g. use: ./made/dist/index.js');
  writeFileSync(join(folder, 'made/index.js'), '');
  assert.equal(await refusal('made/'), '"./made/" is a folder; name a file, e.g. use: ./made/index.js');
});
