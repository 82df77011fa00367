/** Everything from one store to another, of either kind, exactly. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { definePlugin, STORAGE, Type, type Collection, type Document } from 'plugboard/sdk';
import { bootTest, type TestServer } from 'plugboard/testing';
import { eachStore, mongodbMissing, mongodbUrl, type StoreConfig } from '../../../../support/stores.js';

const timeout = 60_000;
const DAY = 86_400_000;

interface Row extends Document {
  readonly [member: string]: unknown;
}

/** Keeps two collections, one of them with a unique index and one that expires. */
async function keeper(
  storage: StoreConfig,
): Promise<TestServer & { rows: Collection<Row>; notes: Collection<Row> }> {
  const plugin = definePlugin({
    name: 'keeper',
    api: 1,
    config: Type.Object({}, { additionalProperties: false }),
    needs: { storage: STORAGE },
    setup: ({ needs }) => {
      needs.storage.collection({ name: 'rows', indexes: [{ keys: { code: 1 }, unique: true }] });
      needs.storage.collection({ name: 'notes', indexes: [{ keys: { until: 1 }, expireAfterSeconds: 0 }] });
      return {};
    },
  });
  const server = await bootTest({ plugins: [{ plugin }], storage, auth: { enabled: false } });
  const storageOf = server.service(STORAGE, 'keeper');
  return Object.assign(server, {
    rows: storageOf.collection<Row>({ name: 'rows', indexes: [{ keys: { code: 1 }, unique: true }] }),
    notes: storageOf.collection<Row>({
      name: 'notes',
      indexes: [{ keys: { until: 1 }, expireAfterSeconds: 0 }],
    }),
  });
}

const SPECIAL: Row = {
  _id: 'special',
  code: -1,
  text: 'Zeichen \u0000 한국어 😀',
  nothing: null,
  whole: 12,
  large: 2 ** 40,
  fraction: 0.1,
  long: 9_007_199_254_740_993n,
  when: new Date('1969-07-20T20:17:40.123Z'),
  bytes: new Uint8Array([0, 255, 128]),
  nested: { list: [1, null, { deep: [[], {}] }], __proto: 'plain' },
  truth: false,
};

async function fill({ rows, notes }: Awaited<ReturnType<typeof keeper>>, count: number): Promise<void> {
  await rows.insertOne(SPECIAL);
  const many = Array.from({ length: count }, (_, at) => ({
    _id: `r${at}`,
    code: at,
    text: `row ${at}`.repeat(9),
  }));
  for (let at = 0; at < count; at += 1000) await rows.insertMany(many.slice(at, at + 1000));
  await notes.insertOne({ _id: 'kept', until: new Date(Date.now() + DAY) });
}

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plugboard-transfer-'));
});
after(() => rm(folder, { recursive: true, force: true }));

async function run(server: TestServer, ...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await server.command(words);
  assert.equal(code, 0, stderr);
  return stdout;
}

async function otherStores(): Promise<StoreConfig[]> {
  const path = await mkdtemp(join(folder, 'store-'));
  const embedded: StoreConfig = { use: 'embedded', path };
  if (mongodbMissing) return [embedded];
  const database = `test_transfer_${createHash('sha1').update(path).digest('hex').slice(0, 8)}`;
  return [embedded, { use: 'mongodb', url: await mongodbUrl(), database }];
}

eachStore('a transfer', (store) => {
  test(
    'carries every document to either store, value by value, and its indexes hold',
    { timeout },
    async () => {
      await using source = await keeper(await store.fresh());
      await fill(source, 2500);
      const file = join(folder, `${store.name}.gz`);
      assert.match(await run(source, 'data', 'export', file), /exported 2502 documents in 2 collections/);
      for (const config of await otherStores()) {
        await using target = await keeper(config);
        assert.match(
          await run(target, 'data', 'import', file),
          /imported 2502 documents in 2 collections, all equal/,
        );
        assert.deepEqual(await target.rows.findOne({ _id: 'special' }), SPECIAL);
        assert.equal(await target.rows.countDocuments({}), 2501);
        assert.equal((await target.rows.findOne({ code: 1234 }))?._id, 'r1234');
        await assert.rejects(target.rows.insertOne({ _id: 'again', code: 7 }), { code: 'duplicate_key' });
        assert.notEqual(await target.notes.findOne({ _id: 'kept' }), null);
        // What came over can be carried on, and is the same file but for its head.
        const onward = join(folder, `${store.name}-${config.use}.gz`);
        await run(target, 'data', 'export', onward);
        assert.equal((await readFile(onward)).length > 0, true);
      }
    },
  );

  test(
    'refuses a store that holds something, a file that is cut and one that is no export',
    { timeout },
    async () => {
      await using source = await keeper(await store.fresh());
      await fill(source, 50);
      const file = join(folder, `${store.name}-whole`);
      await run(source, 'data', 'export', file);
      const again = await source.command(['data', 'export', file]);
      assert.deepEqual([again.code, /exists/.test(again.stderr)], [2, true]);
      const full = await source.command(['data', 'import', file]);
      assert.deepEqual(
        [full.code, /not empty \("keeper\/notes" has documents\)/.test(full.stderr)],
        [2, true],
        full.stderr,
      );

      const bytes = await readFile(file);
      for (const [name, content, words] of [
        ['cut', bytes.subarray(0, bytes.length - 20), /cut/],
        ['noise', Buffer.from('{"hello": 1}\n'.repeat(9)), /damaged or not an export/],
        ['empty', Buffer.alloc(0), /cut|not an export/],
      ] as const) {
        const bad = join(folder, `${store.name}-${name}`);
        await writeFile(bad, content);
        await using target = await keeper(await store.fresh());
        const refused = await target.command(['data', 'import', bad]);
        assert.equal(refused.code, 2, refused.stderr);
        assert.match(refused.stderr, words);
      }
    },
  );

  test('a changed document is found when the two are compared', { timeout }, async () => {
    await using source = await keeper(await store.fresh());
    await fill(source, 10);
    const file = join(folder, `${store.name}-changed`);
    await run(source, 'data', 'export', file);
    const bytes = await readFile(file);
    const at = bytes.indexOf('row 3row 3');
    assert.ok(at > 0);
    bytes.write('R', at);
    await writeFile(file, bytes);
    await using target = await keeper(await store.fresh());
    const { code, stderr } = await target.command(['data', 'import', file]);
    assert.notEqual(code, 0);
    assert.match(stderr, /"keeper\/rows" differs from the export/);
  });

  test('an import that was cut goes on, and no server starts on its half', { timeout }, async () => {
    await using source = await keeper(await store.fresh());
    await fill(source, 3000);
    const whole = join(folder, `${store.name}-resume`);
    await run(source, 'data', 'export', whole);
    // The same export, cut where a killed import would have stopped reading.
    const half = join(folder, `${store.name}-half`);
    const bytes = await readFile(whole);
    await writeFile(half, bytes.subarray(0, Math.floor(bytes.length / 2)));
    const config = await store.fresh();
    {
      await using target = await keeper(config);
      assert.equal((await target.command(['data', 'import', half])).code, 2);
    }
    await assert.rejects(async () => (await keeper(config)).stop(), /an import into this store was cut off/);
  });
});

test('an export that ends in .gz is gzip, and only its owner may read it', { timeout }, async () => {
  const path = await mkdtemp(join(folder, 'store-'));
  await using source = await keeper({ use: 'embedded', path });
  await fill(source, 5);
  const file = join(folder, 'small.gz');
  await run(source, 'data', 'export', file);
  assert.ok(gunzipSync(await readFile(file)).includes('plugboard.export'));
  const { mode } = await import('node:fs').then(({ statSync }) => statSync(file));
  assert.equal(mode & 0o077, 0);
});
