/** An import whose process is killed in the middle resumes after the last stored row. */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { configText, deployment } from '../support/servers/deployment.js';
import { eventually } from '../support/eventually.js';
import { root } from '../support/fixtures.js';
import { SpawnedServer } from '../support/servers/spawned-server.js';
import { eachStore } from '../support/stores.js';

const ROWS = 6_000;
/** Those that the first command gets before it is killed; the others it waits for. */
const FED = 4_500;
const COMMAND = join(root, 'dist/tools/plugboard.js');
const CATALOG =
  'schemas: { public: { relations: { parts: { columns: { id: integer, title: text, data: jsonb }, primaryKey: [id] } } } }';

eachStore('an import', (store) => {
  test('that kill -9 ends in the middle goes on when the same command is run again', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'plugboard-import-'));
    const file = (name: string): string => join(folder, name);
    try {
      const lines = Array.from({ length: ROWS }, (_, id) => `${id},"part ${id}",${id % 2 === 0 ? '' : '{}'}`);
      const text = (rows: number): string => `id,title,data\n${lines.slice(0, rows).join('\n')}\n`;
      // A pipe that is not closed: however fast the import is, it is killed in the middle.
      await promisify(execFile)('mkfifo', [file('parts.csv')]);
      await writeFile(file('catalog.yaml'), CATALOG);
      const dataquery = { catalog: file('catalog.yaml'), auth: 'none' };
      await writeFile(file('config.yaml'), configText(deployment(await store.fresh(), { dataquery })));
      const words = [COMMAND, 'import', 'rows', file('parts.csv'), '--config', file('config.yaml')];
      await using first = await SpawnedServer.run([file('config.yaml')]);
      const command = spawn(process.execPath, words, { stdio: 'ignore' });
      const exited = once(command, 'exit');
      const pipe = createWriteStream(file('parts.csv'));
      // The reader is killed.
      pipe.once('error', () => {});
      pipe.write(text(FED));
      await eventually(async () => (await count(first)) > 0, 'rows are stored');
      if (store.name === 'embedded') await first.end('SIGKILL');
      command.kill('SIGKILL');
      await exited;
      pipe.destroy();
      await rm(file('parts.csv'));
      await writeFile(file('parts.csv'), text(ROWS));
      await using second = await SpawnedServer.run([file('config.yaml')]);
      const before = await count(second);
      assert.ok(before > 0 && before < ROWS, `${before} rows were stored before`);
      const { stdout, stderr } = await promisify(execFile)(process.execPath, words);
      assert.match(stderr, new RegExp(`parts: ${before} rows are stored by an import before this one`));
      assert.equal(stdout, `parts: ${ROWS - before} of ${ROWS} rows\n`);
      assert.equal(await count(second), ROWS);
      const shown = await fetch(`${second.url}/data/parts?data=is.null&id=lt.4&select=id&order=id`);
      assert.deepEqual(await shown.json(), [{ id: 0 }, { id: 2 }]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

async function count({ url }: SpawnedServer): Promise<number> {
  const answer = await fetch(`${url}/data/parts?select=id&limit=1`, { headers: { prefer: 'count=exact' } });
  await answer.arrayBuffer();
  return Number(answer.headers.get('content-range')?.split('/')[1]);
}
