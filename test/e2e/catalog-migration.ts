/** A migration of a catalog whose process is killed in the middle, and that goes on with the next start. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { configText, deployment } from '../support/servers/deployment.js';
import { eventually } from '../support/eventually.js';
import { root } from '../support/fixtures.js';
import { SpawnedServer } from '../support/servers/spawned-server.js';
import type { StoreConfig, TestStore } from '../support/stores.js';

const BEFORE = 'columns: { id: integer, year: text }, primaryKey: [id]';
const AFTER =
  'columns: { id: integer, year: integer, stars: { type: integer, default: 3 } }, primaryKey: [id], indexes: [[year]]';

const catalog = (films: string): string =>
  `exposed: [public]\nschemas: { public: { relations: { films: { ${films} } } } }\n`;

/** `within` says how many of the rows are done, about, when the process is killed: 0 to 1. */
export async function killedInMigration(store: TestStore, rows: number, within: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'plugboard-migration-'));
  const file = (name: string): string => join(folder, name);
  try {
    const storage = await store.fresh();
    await writeFile(file('catalog.yaml'), catalog(BEFORE));
    const films = Array.from({ length: rows }, (_, id) => ({ id, year: String(1900 + (id % 100)) }));
    await writeFile(file('rows.json'), JSON.stringify({ films }));
    await writeFile(file('config.yaml'), config(storage, folder));
    await using first = await SpawnedServer.run([file('config.yaml')]);
    await writeFile(file('catalog.yaml'), catalog(AFTER));
    await killAt(first, file('config.yaml'), store, within * rows);
    await using second = await SpawnedServer.run([file('config.yaml')]);
    assert.match(second.output, /the migration of the catalog goes on/);
    const ask = (path: string): Promise<Response> => fetch(`${second.url}/data/films?${path}`);
    assert.equal((await ask('select=id,year&limit=1')).status, 200, 'the catalog before serves meanwhile');
    await eventually(async () => (await ask('select=stars&limit=1')).status === 200, 'it is done');
    const done = await fetch(`${second.url}/data/films?select=id&stars=eq.3&year=gte.1900&limit=1`, {
      headers: { prefer: 'count=exact' },
    });
    assert.equal(done.headers.get('content-range'), `0-0/${rows}`);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function config(storage: StoreConfig, folder: string): string {
  const dataquery = { catalog: join(folder, 'catalog.yaml'), rows: join(folder, 'rows.json'), auth: 'none' };
  return configText(deployment(storage, { dataquery }));
}

/** Ends the process that migrates: the server of an embedded store, or else that of the command. */
async function killAt(server: SpawnedServer, config: string, store: TestStore, rows: number): Promise<void> {
  const words = [join(root, 'dist/tools/plugboard.js'), 'catalog', 'migrate', '--config', config];
  const command = spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'pipe'] });
  const exited = once(command, 'exit');
  let output = '';
  try {
    await new Promise<void>((resolve, reject) => {
      command.stderr.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        const done = [...output.matchAll(/(\d+) of \d+ rows/g)].at(-1)?.[1];
        if (Number(done ?? -1) >= rows) resolve();
      });
      command.once('exit', () => reject(new Error(`it ended before it was killed: ${output}`)));
    });
  } finally {
    if (store.name === 'embedded') await server.end('SIGKILL');
    command.kill('SIGKILL');
  }
  await exited;
}
