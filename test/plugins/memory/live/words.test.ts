/** The words that are kept from one start to the next. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { DIRECTORY, type Collection } from 'plugboard/sdk';
import { bootTest } from 'plugboard/testing';
import memory from '../../../../plugins/memory/index.js';
import { analyze } from '../../../../plugins/memory/engine/analyzer/analyze.js';
import { ENTRIES, type EntryDocument } from '../../../../plugins/memory/engine/entries/document.js';
import { fingerprint } from '../../../../plugins/memory/engine/keyword/fingerprint.js';
import { Follower } from '../../../../plugins/memory/engine/live/follower.js';
import { LiveIndex } from '../../../../plugins/memory/engine/live/live-index.js';
import { WordsKeeper } from '../../../../plugins/memory/engine/live/words-keeper.js';
import { silentLog } from '../../../support/silent-log.js';
import { openStore } from '../../../support/storage/open-store.js';
import { entryDocument } from '../support/entry-document.js';

const COUNT = 300;
const LINES = [
  'tea with milk',
  'Kaffee mit Wärmepumpe',
  '서울에서 만난 친구',
  'to be or not to be',
  'e-mail 1,299.00',
];
const QUERIES = ['milk', 'Pumpe', '친구', 'to be', '1299', 'number 7', 'chocolate'];

/** A store with entries of two owners, and what a start on it finds. */
async function filled(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'plugboard-words-'));
  const store = await openStore({ use: 'embedded', path: folder });
  t.after(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });
  const documents = store.storage.collection<EntryDocument>(ENTRIES);
  await store.start();
  const entries = Array.from({ length: COUNT }, (_, at) =>
    entryDocument(`${LINES[at % LINES.length]} number ${at}`, { apiKeyId: at % 3 === 0 ? 'bo' : 'ann' }),
  );
  await documents.insertMany(entries);
  const path = join(folder, 'memory.words');
  return { documents, entries, path, start: (keeps = true) => started(documents, keeps ? path : undefined) };
}

async function started(documents: Collection<EntryDocument>, path: string | undefined) {
  const index = new LiveIndex(Date, silentLog);
  const keeper = path === undefined ? undefined : new WordsKeeper(path, index.keyword, silentLog);
  const follower = new Follower(documents, index, silentLog, keeper);
  follower.start();
  await follower.readiness.soon();
  const found = ['ann', 'bo'].flatMap((owner) =>
    QUERIES.map((query) => index.keyword.search(query, { owner, limit: COUNT })),
  );
  return { index, keeper, found, stop: () => follower.stop() };
}

test('a start takes the words that the last one kept, and reads those entries that have changed, come or gone', async (t) => {
  const { documents, entries, start } = await filled(t);
  const first = await start();
  await first.stop();
  const kept = await start();
  assert.deepEqual(kept.found, first.found);
  assert.equal(kept.index.keyword.changes, 0, 'no entry was read for its words');
  await kept.stop();

  const [changed, other, gone] = [entries[1]!, entries[2]!, entries[4]!];
  const content = 'chocolate';
  await documents.updateOne({ _id: changed._id }, { $set: { content, contentVersion: 2, revision: 2 } });
  // As in a store that was put back from a backup and then changed another way.
  await documents.updateOne({ _id: other._id }, { $set: { content: 'chocolate and milk' } });
  await documents.deleteOne({ _id: gone._id });
  await documents.insertOne(entryDocument('white chocolate'));
  const plain = await start(false);
  await plain.stop();
  const again = await start();
  assert.deepEqual(again.found, plain.found);
  assert.notDeepEqual(again.found, first.found);
  // A replaced entry is two changes.
  assert.equal(again.index.keyword.changes, 2 + 2 + 1 + 1);
  await again.stop();
});

test('of a damaged file what is whole is taken, and all is found', async (t) => {
  const { path, start } = await filled(t);
  const first = await start();
  await first.stop();
  const whole = readFileSync(path);
  const damaged = (at: number): Buffer => {
    const bytes = Buffer.from(whole);
    bytes[at]! ^= 0x10;
    return bytes;
  };
  const places = Array.from({ length: 20 }, (_, at) => Math.floor((whole.length * at) / 20));
  const files = [...places.map((at) => whole.subarray(0, at)), ...places.map(damaged), Buffer.alloc(0)];
  for (const [at, bytes] of files.entries()) {
    writeFileSync(path, bytes);
    const next = await start();
    assert.deepEqual(next.found, first.found, `file ${at}`);
    assert.ok(next.index.keyword.changes > 0, `file ${at} was taken as whole`);
    await next.stop();
  }
  const last = await start();
  assert.equal(last.index.keyword.changes, 0, 'the file is whole again');
  await last.stop();
});

test('a file of another server is not read', async (t) => {
  const { path, start } = await filled(t);
  const first = await start();
  await first.stop();
  const text = readFileSync(path, 'latin1');
  writeFileSync(
    path,
    text.replace(/V8 [^\n]*/, (version) => version.replace(/\d/, 'x')),
    'latin1',
  );
  const next = await start();
  assert.deepEqual(next.found, first.found);
  assert.equal(next.index.keyword.changes, COUNT);
  await next.stop();
});

test('a file that cannot be written costs the next start its time, and no more', async (t) => {
  const { documents, path } = await filled(t);
  const nowhere = join(path, 'no', 'folder');
  const first = await started(documents, nowhere);
  await first.stop();
  const next = await started(documents, nowhere);
  assert.deepEqual(next.found, first.found);
  await next.stop();
});

test('the file is for its owner alone, and is gone when it is to forget', async (t) => {
  const { path, start } = await filled(t);
  const { keeper, stop } = await start();
  await keeper!.write();
  assert.equal(statSync(path).mode & 0o777, 0o600);
  await keeper!.forget();
  assert.throws(() => statSync(path), { code: 'ENOENT' });
  await stop();
  assert.ok(statSync(path).size > 0, 'a stop writes it anew');
});

test('words that are read otherwise than before need a new FORM in words-file.ts', () => {
  const texts = [
    ...LINES,
    ...QUERIES,
    'The Who played at 12:30, and $1,299.50 was paid for snake_case and camelCase',
    'Les chevaux étaient fatigués; los niños corrían; die Müllers aßen Straßenkuchen',
    'Бегущие люди, 東京都の天気, 我喜欢喝茶, مرحبا بالعالم, नमस्ते दुनिया, καλημέρα κόσμε 🎉',
    'koşuyorlar juoksevat futók fugindo correndo løbende springande rennende alergând',
  ];
  const words = JSON.stringify(texts.map((text) => analyze(text)));
  assert.equal(fingerprint(words), 213384139928625, words);
});

test('what a person said is not in the file after their erasure, nor after the next stop', async (t) => {
  const path = mkdtempSync(join(tmpdir(), 'plugboard-words-'));
  t.after(() => rmSync(path, { recursive: true }));
  const boot = () => bootTest({ plugins: [{ plugin: memory }], storage: { use: 'embedded', path } });
  const file = join(path, 'memory.words');
  {
    await using server = await boot();
    await server.command(['users', 'create', 'ann', '--password-stdin'], 'ann climbs seven quiet hills');
    const id = (await server.service(DIRECTORY).byLogin('ann'))?.id;
    const entry = {
      apiKeyId: `user:${id}`,
      key: 'secret',
      type: 'factual',
      content: 'wombats in the garden',
    };
    const headers = { authorization: `Bearer ${await server.key('manage')}` };
    const answer = await server.inject({ method: 'POST', url: '/api/memory', headers, payload: entry });
    assert.equal(answer.statusCode, 201, answer.body);
  }
  assert.match(readFileSync(file, 'latin1'), /wombat/);
  {
    await using server = await boot();
    const erased = await server.command(['people', 'erase', 'ann']);
    assert.equal(erased.code, 0, erased.stderr);
    assert.throws(() => statSync(file), { code: 'ENOENT' });
  }
  assert.doesNotMatch(readFileSync(file, 'latin1'), /wombat/);
});
