/** The example of docs/kit.md, run unchanged. */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { bootTest, type AnyPlugin } from 'plugboard/testing';
import { root } from '../support/fixtures.js';

const PAGE = readFileSync(join(root, 'docs/kit.md'), 'utf8');
// Inside of the package, so that `plugboard/sdk` is this one.
const FOLDER = join(root, 'dist/test/docs/kit-page');
after(() => rmSync(FOLDER, { recursive: true, force: true }));

test('the greeter of the page greets, notes and lists', async () => {
  const code = /```js\n([\s\S]*?)```/.exec(PAGE)?.[1];
  assert.ok(code, 'the page has an example');
  mkdirSync(FOLDER, { recursive: true });
  const file = join(FOLDER, 'greeter.mjs');
  writeFileSync(file, code);
  const { default: plugin } = (await import(pathToFileURL(file).href)) as { default: AnyPlugin };
  await using server = await bootTest({ plugins: [{ plugin }] });
  const said = await Promise.all(
    ['ann', 'bob', 'ann'].map(
      async (name) => (await server.inject(`/greet/${name}`)).json<{ said: string }>().said,
    ),
  );
  assert.deepEqual(said, ['hello ann', 'hello bob', 'hello ann']);
  assert.equal((await server.inject('/greetings')).body, 'ann\nann\nbob\n');
});

test('every part of the kit is on the page', () => {
  const exported = readdirSync(join(root, 'kernel/sdk/kit')).flatMap((file) =>
    Array.from(
      readFileSync(join(root, 'kernel/sdk/kit', file), 'utf8').matchAll(
        /^export (?:async )?(?:class|function\*?) (\w+)/gm,
      ),
      ([, name = '']) => name,
    ),
  );
  // For the kernel.
  const shown = exported.filter((name) => name !== 'answered');
  assert.ok(shown.length > 8);
  assert.deepEqual(
    shown.filter((name) => !PAGE.includes(`\`${name}\``) && !PAGE.includes(`${name}(`)),
    [],
  );
});
