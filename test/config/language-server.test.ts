/** The YAML language server of editors, on the configs that come with the server and on those that the docs show. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { root } from '../support/fixtures.js';
import { LanguageServer } from '../support/peers/language-server.js';

const FIRST_LINE = '# yaml-language-server: $schema=./plugboard.schema.json\n';

/** A text as an editor has it that was opened in the folder of the configs. */
const inConfig = (name: string): string => pathToFileURL(join(root, 'config', name)).href;
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

const configs = readdirSync(join(root, 'config')).filter((name) => name.endsWith('.yaml'));

const pages = ['.', 'docs', 'plugins'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: folder !== '.', encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name)),
);

/** The parts of configs in a page; other YAML, such as a catalog, begins with other keys. */
function examples(page: string): string[] {
  const blocks = Array.from(read(page).matchAll(/^```yaml\n([^`]*)^```$/gm), ([, text = '']) => text);
  return blocks
    .filter((text) => /^(version|server|log|providers|plugins):/m.test(text))
    .map((text) => FIRST_LINE + (/^version:/m.test(text) ? text : `version: 1\n${text}`));
}

describe('the language server', () => {
  let server: LanguageServer;
  before(async () => {
    server = await LanguageServer.start();
  });
  after(() => server.end());

  for (const name of configs)
    test(`finds nothing wrong in config/${name}`, async () => {
      assert.ok(read(`config/${name}`).startsWith(FIRST_LINE));
      assert.deepEqual(await server.problems(inConfig(name), read(`config/${name}`)), []);
    });

  test('finds nothing wrong in the examples of the docs', async () => {
    let seen = 0;
    for (const page of pages)
      for (const text of examples(page)) {
        const found = await server.problems(inConfig(`example-${seen}.yaml`), text);
        assert.deepEqual(found, [], `${page}:\n${text}`);
        seen += 1;
      }
    assert.ok(seen >= 10, `${seen} examples`);
  });

  for (const [what, line, problem] of [
    ['a misspelled key of the file', 'pluginss: {}', /^2: .*pluginss/],
    ['a misspelled key of a plugin', 'plugins: { events: { pollIntervall: 60 } }', /^2: .*pollIntervall/],
    ['a misspelled key where `use` names the plugin', 'plugins: { a: { use: events, pol: 1 } }', /^2: .*pol/],
    ['a misspelled key of a provider', 'providers: { storage: { use: mongodb, urll: x } }', /^2: .*url/],
    ['a value of another type', 'plugins: { events: { pollInterval: often } }', /^2: .*(integer|Incorrect)/],
    ['a value that is not one of the choices', 'log: { level: loud }', /^2: .*trace/],
    ['a key that is missing', 'plugins: { dataquery: { maxRows: 5 } }', /^2: .*catalog/],
  ] as const)
    test(`says ${what} at its line`, async () => {
      const found = await server.problems(inConfig(`${what}.yaml`), `${FIRST_LINE}${line}\nversion: 1\n`);
      assert.match(found.join('\n'), problem);
    });

  test('completes the keys of the file, of a plugin and of a provider', async () => {
    const text = `${FIRST_LINE}version: 1\nproviders:\n  storage:\n    use: mongodb\n    \nplugins:\n  events:\n    \n  archive:\n    use: speech\n    \n`;
    const uri = inConfig('completed.yaml');
    await server.problems(uri, text);
    const at = async (line: number, character: number) => server.completions(uri, { line, character });
    assert.ok((await at(5, 4)).includes('readPreference'));
    const ofEvents = await at(8, 4);
    assert.ok(ofEvents.includes('pollInterval') && ofEvents.includes('prefix'), ofEvents.join());
    const ofArchive = await at(11, 4);
    assert.ok(ofArchive.includes('engines') && !ofArchive.includes('pollInterval'), ofArchive.join());
  });

  test('explains the keys of the file, of a plugin and of a provider', async () => {
    const text = `${FIRST_LINE}version: 1\nserver: { port: 1 }\nplugins:\n  events: { pollInterval: 1 }\n  ratelimit:\nproviders:\n  storage: { use: mongodb, url: '\${URL}' }\n`;
    const uri = inConfig('explained.yaml');
    await server.problems(uri, text);
    const at = async (line: number, character: number) => server.hover(uri, { line, character });
    assert.match(await at(2, 11), /Port to listen on/);
    assert.match(await at(4, 14), /seconds that clients should wait/);
    assert.match(await at(5, 4), /limit/i);
    assert.match(await at(7, 28), /Connection string/);
  });
});
