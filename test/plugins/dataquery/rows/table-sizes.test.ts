/** What the rows of one table may hold together. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { STORAGE, type Document } from 'plugboard/sdk';
import { bootTest, type TestServer } from 'plugboard/testing';
import dataquery from '../../../../plugins/dataquery/index.js';
import { eventually } from '../../../support/eventually.js';
import { eachStore, type StoreConfig } from '../../../support/stores.js';

const CATALOG = `
exposed: [public]
schemas:
  public:
    relations:
      notes:
        columns: { id: { type: integer, required: true }, text: { type: text, search: english } }
        primaryKey: [id]
      parts:
        columns: { id: integer, note_id: integer, text: text }
        primaryKey: [id]
        foreignKeys:
          parts_note_id_fkey: { columns: [note_id], references: { relation: notes, columns: [id] }, onDelete: cascade }
`;
/** What a row takes besides its text: its id of 27 characters and some for each value. */
const AROUND = 67;

interface Size extends Document {
  readonly characters: number;
  readonly counted: string | null;
}

eachStore('the room of a table', (store) => {
  let directory: string;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'plugboard-sizes-'));
    await writeFile(join(directory, 'catalog.yaml'), CATALOG);
    const notes = Array.from({ length: 3 }, (_, at) => ({ id: at + 1, text: 'x'.repeat(100) }));
    await writeFile(join(directory, 'rows.json'), JSON.stringify({ 'public.notes': notes }));
  });
  after(() => rm(directory, { recursive: true }));

  const boot = (storage: StoreConfig, config: object = {}): Promise<TestServer> =>
    bootTest({
      baseDir: directory,
      storage,
      plugins: [
        { plugin: dataquery, prefix: '/', config: { catalog: 'catalog.yaml', auth: 'none', ...config } },
      ],
    });
  const send = async (
    server: TestServer,
    method: 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body?: object,
  ) => {
    const answer = await server.inject({ method, url: path, ...(body && { payload: body }) });
    return {
      status: answer.statusCode,
      body: answer.body === '' ? {} : answer.json<Record<string, unknown>>(),
    };
  };
  const note = (id: number, length: number): object => ({ id, text: 'x'.repeat(length) });
  const sizeOf = async (server: TestServer, name: string): Promise<Size | undefined> => {
    const sizes = server.service(STORAGE, 'dataquery').collection<Size>({ name: 'table_sizes' });
    const parts = (await sizes.find({}).toArray()).filter(({ _id }) => _id.includes(name));
    if (parts[0] === undefined) return undefined;
    return { ...parts[0], characters: parts.reduce((sum, { characters }) => sum + characters, 0) };
  };

  test('is bounded for each table by itself, and is there again after a deletion', async () => {
    const storage = await store.fresh();
    {
      await using server = await boot(storage, { maxCharacters: 1_000 });
      assert.equal((await send(server, 'POST', '/notes', note(1, 500 - AROUND))).status, 201);
      assert.equal((await send(server, 'POST', '/notes', note(2, 500 - AROUND))).status, 201);
      const refused = await send(server, 'POST', '/notes', note(3, 0));
      assert.deepEqual(refused, {
        status: 409,
        body: {
          code: 'SVC135',
          message: 'The rows of "notes" would hold more than 1000 characters',
          details: 'The config key maxCharacters bounds the rows of each table.',
          hint: 'Delete rows first, or store less in them.',
        },
      });
      assert.equal(
        (await send(server, 'PATCH', '/notes?id=eq.1', { text: 'x'.repeat(501 - AROUND) })).status,
        409,
      );
      assert.equal((await send(server, 'PATCH', '/notes?id=eq.1', { text: 'y' })).status, 204);
      assert.equal(
        (await send(server, 'PATCH', '/notes?id=eq.1', { text: 'x'.repeat(500 - AROUND) })).status,
        204,
      );
      for (const id of [1, 2])
        assert.equal((await send(server, 'POST', '/parts', { ...note(id, 400), note_id: id })).status, 201);
      assert.equal((await send(server, 'POST', '/parts', { ...note(3, 400), note_id: 1 })).status, 409);
    }
    await using again = await boot(storage, { maxCharacters: 1_000 });
    assert.equal(
      (await send(again, 'POST', '/notes', note(3, 0))).status,
      409,
      'it is known after a restart',
    );
    assert.equal((await send(again, 'DELETE', '/notes?id=eq.1')).status, 204);
    assert.equal((await send(again, 'POST', '/notes', note(3, 500 - AROUND))).status, 201);
    assert.equal(
      (await send(again, 'POST', '/parts', { ...note(3, 400), note_id: 2 })).status,
      201,
      'cascades count',
    );
    assert.equal((await send(again, 'POST', '/notes?on_conflict=id', note(4, 0))).status, 409);
  });

  test('is passed by no more than what is written at the same time', async () => {
    await using server = await boot(await store.fresh(), { maxCharacters: 4_000 });
    const write = (at: number) => send(server, 'POST', '/notes', note(at, 200 - AROUND));
    const answers = await Promise.all(Array.from({ length: 60 }, (_, at) => write(at)));
    const stored = answers.filter(({ status }) => status === 201).length;
    assert.ok(stored >= 20 && stored <= 36, `${stored} rows are stored`);
    assert.equal(answers.filter(({ status }) => status === 409).length, 60 - stored);
    assert.equal((await sizeOf(server, 'notes'))?.characters, 200 * stored);
    assert.equal((await write(100)).status, 409);
    assert.equal((await send(server, 'DELETE', '/notes?id=lt.60')).status, 204);
    const rows = Array.from({ length: 21 }, (_, at) => note(200 + at, 200 - AROUND));
    assert.equal((await send(server, 'POST', '/notes', rows)).status, 409, 'a single write does not pass it');
    assert.equal((await send(server, 'POST', '/notes', rows.slice(1))).status, 201);
  });

  test('counts rows that were there before, while others are written', async () => {
    const storage = await store.fresh();
    {
      await using server = await boot(storage, { rows: 'rows.json' });
      for (let from = 10; from < 2_010; from += 500)
        await send(
          server,
          'POST',
          '/notes',
          Array.from({ length: 500 }, (_, at) => note(from + at, 100)) as object,
        );
      assert.equal(await sizeOf(server, 'notes'), undefined, 'nothing is counted that is not bounded');
    }
    await using server = await boot(storage, { maxCharacters: 1e9 });
    const writes = Array.from({ length: 50 }, (_, at) => [
      send(server, 'POST', '/notes', note(5_000 + at, 50)),
      send(server, 'PATCH', `/notes?id=eq.${10 + 37 * at}`, { text: 'x' }),
      send(server, 'DELETE', `/notes?id=eq.${11 + 37 * at}`),
    ]);
    const statuses = (await Promise.all(writes.flat())).map(({ status }) => status);
    assert.deepEqual([...new Set(statuses)].toSorted(), [201, 204]);
    await eventually(async () => (await sizeOf(server, 'notes'))?.counted === null, 'all are counted');
    const expected = (2_003 - 100) * (100 + AROUND) + 50 * (50 + AROUND) + 50 * (1 + AROUND);
    assert.equal((await sizeOf(server, 'notes'))?.characters, expected);
  });

  test('counts what a file loads', async () => {
    await using server = await boot(await store.fresh(), { rows: 'rows.json', maxCharacters: 400 });
    await eventually(async () => (await sizeOf(server, 'notes'))?.counted === null, 'all are counted');
    assert.equal(
      (await sizeOf(server, 'notes'))?.characters,
      3 * (100 + AROUND),
      'the operator may load more',
    );
    assert.equal((await send(server, 'POST', '/notes', note(9, 0))).status, 409);
  });

  test('counts again what a migration has made of the rows', async () => {
    const storage = await store.fresh();
    await using server = await boot(storage, { rows: 'rows.json', maxCharacters: 10_000 });
    await eventually(async () => (await sizeOf(server, 'notes'))?.counted === null, 'all are counted');
    const kind =
      "text: { type: text, search: english }, kind: { type: text, required: true, default: 'abcdefghij' }";
    const file = join(directory, 'catalog.yaml');
    await writeFile(file, CATALOG.replace('text: { type: text, search: english }', kind));
    try {
      assert.match((await server.command(['catalog', 'migrate'])).stdout, /kind/);
      const expected = 3 * (100 + AROUND + 18);
      await eventually(
        async () => (await sizeOf(server, 'notes'))?.characters === expected,
        'the new values count',
      );
      assert.equal((await sizeOf(server, 'notes'))?.counted, null);
    } finally {
      await writeFile(file, CATALOG);
    }
  });
});
