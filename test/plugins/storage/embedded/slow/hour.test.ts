/**
 * A server that updates the same documents for `MINUTES` (60), and concurrent commands, half of them killed:
 * its data file stays as large as it was soon after the start.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import { root } from '../../../../support/fixtures.js';
import { SpawnedServer } from '../../../../support/servers/spawned-server.js';

const MINUTES = Number(process.env['MINUTES'] ?? 60);
const PLUGIN = fileURLToPath(new URL('./updating-plugin.js', import.meta.url));

test(`the data file is flat through ${MINUTES} minutes of updates with concurrent commands`, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'plugboard-hour-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const config = join(folder, 'config.yaml');
  const path = join(folder, 'data');
  writeFileSync(
    config,
    stringify({
      version: 1,
      server: { port: 0, pressure: { eventLoopDelay: 0 } },
      providers: { storage: { use: 'embedded', path }, auth: { use: 'local' } },
      plugins: { updating: { use: PLUGIN } },
    }),
  );
  await using server = await SpawnedServer.run([config]);
  const megabytes = (): number => Math.round((statSync(join(path, 'data.mdb')).size / 2 ** 20) * 10) / 10;
  const sizes: number[] = [];
  const end = performance.now() + MINUTES * 60_000;
  const ran = { ended: 0, killed: 0 };
  for (let round = 0; performance.now() < end; round++) {
    const copy = join(folder, 'copy');
    rmSync(copy, { recursive: true, force: true });
    const words = [['check'], ['backup', copy], ['export', copy]][round % 3]!;
    const killed = await run(
      ['data', ...words, '--config', config],
      round % 2 === 0 ? 300 + ((round * 97) % 900) : undefined,
    );
    ran[killed ? 'killed' : 'ended']++;
    sizes.push(megabytes());
    await sleep(Math.min(10_000, MINUTES * 1000));
  }
  assert.doesNotMatch(server.output, /an update failed/);
  const { code, output } = await server.end('SIGTERM').then((code) => ({ code, output: server.output }));
  const quarter = Math.ceil(sizes.length / 4);
  const [early, late] = [Math.max(...sizes.slice(0, quarter)), Math.max(...sizes.slice(-quarter))];
  t.diagnostic(
    `${ran.ended} commands ended and ${ran.killed} were killed; data file ${sizes[0]} MB at first, at most ${early} MB in the first quarter, ${late} in the last, ${megabytes()} closed`,
  );
  assert.ok(late <= early * 1.1, `${sizes.join(' ')}: ${output} ${String(code)}`);
});

/** Whether it was killed before its end. */
async function run(words: readonly string[], killAfter: number | undefined): Promise<boolean> {
  const child = spawn(process.execPath, [join(root, 'dist/tools/plugboard.js'), ...words], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const timer = killAfter === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfter);
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  clearTimeout(timer);
  if (signal === null) assert.equal(code, 0, errors);
  return signal !== null;
}
