/** `plugboard help` names every command that comes with the server. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { help } from '../../tools/cli/help.js';
import { root } from '../support/fixtures.js';

test('the overview of plugboard help names every command of a plugin and of a provider', (t) => {
  const log = t.mock.method(console, 'log', () => undefined);
  help([]);
  const overview = String(log.mock.calls[0]?.arguments[0]);
  log.mock.restore();
  const commands = [...namesIn('plugins'), ...namesIn('kernel/providers')];
  assert.ok(commands.length > 25 && commands.includes('jobs'), commands.join());
  assert.deepEqual(
    commands.filter((name) => !isNamed(name, overview)),
    [],
  );
});

/** `keys list` stands there as `keys create|list|revoke`. */
function isNamed(command: string, overview: string): boolean {
  const [first = '', second = ''] = command.split(' ');
  return new RegExp(`\\b${first}\\b${second === '' ? '' : ` ([a-z]+\\|)*${second}\\b`}`).test(overview);
}

/** A command is what has a name and, right behind it, a summary. */
function namesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /command[\w-]*\b.*\.ts$|import\.ts$/.test(file) && !file.includes('node_modules'))
    .flatMap((file) =>
      Array.from(
        readFileSync(join(root, folder, file), 'utf8').matchAll(/name: '([a-z]+(?: [a-z]+)?)',\s+summary:/g),
        ([, name = '']) => name,
      ),
    );
}
