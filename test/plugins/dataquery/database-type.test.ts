/** `plugboard types`: a client that is typed by what it prints compiles, and refuses what the tables do not have. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { root } from '../../support/fixtures.js';

// Below the project, where packages are found.
mkdirSync(join(root, 'coverage'), { recursive: true });
const folder = mkdtempSync(join(root, 'coverage/types-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const CATALOG = `
exposed: [public]
schemas:
  public:
    relations:
      directors: { columns: { id: { type: integer, required: true, default: { generated: identity } }, name: { type: text, required: true } }, primaryKey: [id] }
      films:
        columns:
          id: { type: integer, required: true, default: { generated: identity } }
          title: { type: text, required: true }
          'the "year"': smallint
          tags: { type: 'text[]', required: true, default: '{}' }
          extra: jsonb
          director_id: integer
        primaryKey: [id]
        foreignKeys: { films_director_id_fkey: { columns: [director_id], references: { relation: directors, columns: [id] } } }
      old_films: { kind: view, from: films, columns: { id: { base: id }, title: { base: title } } }
`;

const USE = `
import { PostgrestClient } from '@supabase/postgrest-js';
import type { Database, Json } from './database.js';

const db = new PostgrestClient<Database>('http://127.0.0.1/data');
const { data } = await db.from('films').select('title, extra, tags, directors(name)').single();
export const title: string = data!.title;
export const extra: Json | null = data!.extra;
export const tags: string[] = data!.tags;
export const director: string | undefined = data!.directors?.name;
await db.from('films').insert({ title: 'Ran', 'the "year"': null });
await db.from('films').update({ director_id: null }).eq('id', 1);
// @ts-expect-error a column that is not there
await db.from('films').insert({ title: 'Ran', titel: 'Ran' });
// @ts-expect-error a title is not null
await db.from('films').insert({ id: 1 });
// @ts-expect-error a table that is not there
await db.from('film').select();
const { data: old } = await db.from('old_films').select('title').single();
export const oldTitle: string | null = old!.title;
`;

test('a client typed by what the command prints compiles, and its mistakes do not', () => {
  writeFileSync(join(folder, 'catalog.yaml'), CATALOG);
  writeFileSync(
    join(folder, 'config.yaml'),
    'version: 1\nproviders: { storage: { use: embedded, path: ./data } }\nplugins: { dataquery: { catalog: catalog.yaml } }\n',
  );
  const words = [join(root, 'dist/tools/plugboard.js'), 'types', '--config', join(folder, 'config.yaml')];
  const printed = execFileSync(process.execPath, words, { encoding: 'utf8' });
  assert.match(printed, /"the \\"year\\""\?: number \| null;/);
  writeFileSync(join(folder, 'database.ts'), printed);
  writeFileSync(join(folder, 'use.ts'), USE);
  const compilerOptions = {
    target: 'es2022',
    module: 'nodenext',
    moduleResolution: 'nodenext',
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    types: [],
    lib: ['es2022', 'dom'],
  };
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.ts'] }));
  const compiled = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', folder], { encoding: 'utf8' });
  assert.equal(compiled.stdout + compiled.stderr, '');
  assert.equal(compiled.status, 0);
});
