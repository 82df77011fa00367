/** Columns and relations keep their values under every name, whichever file an instance starts with. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, test } from 'node:test';
import type { Storage } from 'plugboard/sdk';
import { CatalogRecords, stateOf } from '../../../../plugins/dataquery/engine/evolution/catalog-record.js';
import { openStore } from '../../../support/storage/open-store.js';
import { eachStore, type StoreConfig } from '../../../support/stores.js';
import { openData as openServer, refusal, type Data } from '../support/open-data.js';

const catalog = (columns: string, more = '', name = 'p'): string => `exposed: [public]
schemas:
  public:
    relations:
      ${name}: { ${more} columns: { id: { type: integer, default: { generated: identity } }, ${columns} }, primaryKey: [id] }
`;
const OLD = catalog('code: text, size: integer');
const NEW = catalog('kode: { type: text, was: code }, size: integer');
const ROWS = {
  'public.p': [
    { id: 1, code: 'a', size: 1 },
    { id: 2, code: 'b', size: 2 },
  ],
};
const BOTH = [{ value: 'a' }, { value: 'b' }];

/** Stopped after the test where it has not stopped them. */
const running = new Set<Data>();
afterEach(() => Promise.all([...running].map((data) => data.stop())));

const openData = async (...given: Parameters<typeof openServer>): Promise<Data> => {
  const data = await openServer(...given);
  const stop = async (): Promise<void> => {
    if (running.delete(tracked)) await data.stop();
  };
  const tracked = { ...data, stop };
  running.add(tracked);
  return tracked;
};

const values = (data: Data, column: string) => data.rows(`/p?select=value:${column}&order=id&limit=2`);
const plan = async (data: Data): Promise<string> => (await data.server.command(['catalog', 'plan'])).stdout;
const put = (data: Data, text: string) => writeFile(join(data.directory, 'catalog.yaml'), text);

/** A command that ended without a mistake. */
async function command(data: Data, ...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await data.server.command(words);
  assert.equal(code, 0, stderr);
  return stdout;
}

async function migrateTo(data: Data, text: string): Promise<void> {
  await put(data, text);
  await command(data, 'catalog', 'migrate');
}

eachStore('identities of columns', (store) => {
  /** Instances that serve at once where the store takes several, or one after the other. */
  const restarts = async (
    storage: StoreConfig,
    texts: readonly string[],
    look: (data: Data, text: string) => Promise<void>,
  ): Promise<void> => {
    const open: Data[] = [];
    for (const text of texts) {
      const data = await openData(storage, text, {}, { unmigrated: 'serve' });
      open.push(data);
      await look(data, text);
      if (store.alone !== false) await open.pop()!.stop();
    }
    for (const [at, data] of open.entries()) await look(data, texts[at]!);
    for (const data of open) await data.stop();
  };
  const filled = async (text = OLD, rows: Parameters<typeof openData>[2] = ROWS): Promise<StoreConfig> => {
    const storage = await store.fresh();
    await (await openData(storage, text, rows)).stop();
    return storage;
  };

  for (const order of ['OLD NEW OLD', 'NEW NEW OLD OLD NEW']) {
    test(`after a rename every value is there for instances that start with ${order}`, async () => {
      const storage = await filled();
      await (await openData(storage, NEW)).stop();
      const texts = order.split(' ').map((name) => (name === 'NEW' ? NEW : OLD));
      let next = 10;
      await restarts(storage, texts, async (data, text) => {
        const column = text === NEW ? 'kode' : 'code';
        assert.deepEqual(await values(data, column), BOTH);
        const id = (next += 1);
        assert.equal((await data.send('POST', '/p', { id, [column]: 'written' })).status, 201);
        assert.doesNotMatch(await plan(data), /kept until/);
      });
      const last = await openData(storage, NEW);
      const written = (await last.rows('/p?select=kode&id=gt.10')) as { kode: unknown }[];
      const count = next - 10;
      assert.deepEqual(
        written,
        Array.from({ length: count }, () => ({ kode: 'written' })),
      );
      await last.stop();
    });
  }

  test('a start with an older file stops, names both catalogs, and goes back only when it is told to', async () => {
    const storage = await filled();
    await (await openData(storage, NEW)).stop();
    await assert.rejects(
      openData(storage, OLD),
      /the catalog file is catalog 1, and catalog 2 is in force: "public.p.code" is a former name of "public.p.kode"/,
    );
    // One that was never in force is known by its names.
    await assert.rejects(
      openData(storage, `${OLD}# another`),
      /is an older catalog, and catalog 2 is in force/,
    );
    const data = await openData(storage, NEW);
    await put(data, OLD);
    const key = await data.server.key('manage');
    const headers = { authorization: `Bearer ${key}` };
    assert.equal(refusal(await data.send('POST', '/-/reload', undefined, headers)), '422 SVC130');
    assert.deepEqual(await values(data, 'kode'), BOTH);
    assert.match(await command(data, 'catalog', 'rollback', '1'), /p: kode is renamed to code/);
    await command(data, 'catalog', 'migrate');
    assert.deepEqual(await values(data, 'code'), BOTH);
    assert.match(await command(data, 'catalog', 'history'), /^3 since .* \(in force\)\n2 since .*\n1 since /);
    assert.equal(await command(data, 'catalog', 'history', '2'), NEW);
    await data.stop();
    await assert.rejects(openData(storage, NEW), /the catalog file is catalog 2, and catalog 3 is in force/);
    const forward = await openData(storage, OLD);
    await migrateTo(forward, NEW);
    assert.deepEqual(await values(forward, 'kode'), BOTH);
    await forward.stop();
  });

  test('an older file with the same names serves next to the newer one, and takes nothing from it', async () => {
    const storage = await filled();
    const more = catalog('code: text, size: integer, note: text');
    const newer = await openData(storage, more);
    assert.equal((await newer.send('PATCH', '/p?id=eq.1', { note: 'n' })).status, 204);
    if (store.alone !== false) await newer.stop();
    const older = await openData(storage, OLD);
    assert.deepEqual(await older.rows('/p?id=eq.1'), [{ id: 1, code: 'a', size: 1 }]);
    assert.equal((await older.send('PATCH', '/p?id=eq.1', { code: 'c' })).status, 204);
    await older.stop();
    const look = store.alone === false ? newer : await openData(storage, more);
    assert.deepEqual(await look.rows('/p?id=eq.1'), [{ id: 1, code: 'c', size: 1, note: 'n' }]);
    await look.stop();
  });

  test('an older file that lacks a check of the newer one is not served', async () => {
    const storage = await filled();
    const before = await openData(storage, OLD);
    const checked = NEW.replace('primaryKey: [id]', 'primaryKey: [id], checks: { small: { size: lt.9 } }');
    await migrateTo(before, checked);
    await before.stop();
    const data = await openData(storage, OLD, {}, { unmigrated: 'serve' });
    assert.deepEqual(await values(data, 'kode'), BOTH);
    assert.equal(refusal(await data.send('PATCH', '/p?id=eq.1', { size: 9 })), '400 23514');
    await data.stop();
  });

  test('two names are swapped, also when the file keeps its "was", and back', async () => {
    const storage = await filled(catalog('a: text, b: text'), { 'public.p': [{ id: 1, a: 'x', b: 'y' }] });
    const swap = 'a: { type: text, was: b }, b: { type: text, was: a }';
    const data = await openData(storage, catalog('a: text, b: text'));
    await put(data, catalog(swap));
    assert.match(await plan(data), /b is renamed to a[^]*a is renamed to b/);
    await data.stop();
    for (const text of [catalog(swap), catalog(`${swap}, c: text`)]) {
      const swapped = await openData(storage, text);
      assert.deepEqual(await swapped.rows('/p?select=a,b'), [{ a: 'y', b: 'x' }]);
      await swapped.stop();
    }
    const back = await openData(storage, catalog(`${swap}, c: text`));
    await migrateTo(back, catalog('a: { type: text, was: b }, b: { type: text, was: a }, d: text'));
    assert.deepEqual(await back.rows('/p?select=a,b'), [{ a: 'y', b: 'x' }]);
    await back.stop();
  });

  test('a renamed table keeps its rows, keys and numbers, and a new one may take its name', async () => {
    const storage = await filled();
    const renamed = await openData(storage, catalog('code: text, size: integer', 'was: p,', 'q'));
    assert.deepEqual(await renamed.rows('/q?select=value:code&order=id'), BOTH);
    await renamed.send('POST', '/q', { code: 'c' });
    await renamed.send('DELETE', '/q?id=eq.3');
    await renamed.stop();
    const both = `${catalog('code: text, size: integer', 'was: p,', 'q')}      p: { columns: { id: integer }, primaryKey: [id] }\n`;
    const data = await openData(storage, both);
    assert.deepEqual(await data.rows('/p'), []);
    const prefer = { prefer: 'return=representation' };
    const { body } = await data.send('POST', '/q', { code: 'd' }, prefer);
    assert.deepEqual(body, [{ id: 4, code: 'd', size: null }]);
    await data.stop();
  });

  test('a column that is removed and declared again has its values, of another type it begins empty', async () => {
    const storage = await filled();
    const data = await openData(storage, catalog('size: integer'));
    assert.match(await plan(data), /kept until .*public.p.code \(2 values: "a", "b"\)/);
    await migrateTo(data, catalog('size: integer, code: integer'));
    assert.deepEqual(await values(data, 'code'), [{ value: null }, { value: null }]);
    await migrateTo(data, catalog('size: integer'));
    await migrateTo(data, catalog('size: integer, code: text'));
    assert.deepEqual(await values(data, 'code'), BOTH);
    await data.stop();
  });

  test('a type that changes, with the name, and back keeps what was written since', async () => {
    const storage = await filled();
    const data = await openData(storage, OLD);
    await migrateTo(data, catalog('code: text, weight: { type: text, was: size }'));
    await data.send('PATCH', '/p?id=eq.1', { weight: '7' });
    await migrateTo(data, catalog('code: text, size: { type: integer, was: weight }'));
    assert.deepEqual(await values(data, 'size'), [{ value: 7 }, { value: 2 }]);
    assert.match(await plan(data), /public.p.size:text \(2 values: "7", "2"\), public.p.size:integer/);
    await data.stop();
  });

  test('a migration that renames goes on after a kill, with an older file too', async () => {
    const storage = await filled();
    const changed = catalog('kode: { type: text, was: code }, size: text');
    const killed = await openData(storage, OLD);
    await put(killed, changed);
    const reload = { authorization: `Bearer ${await killed.server.key('manage')}` };
    assert.equal(refusal(await killed.send('POST', '/-/reload', undefined, reload)), '422 SVC130');
    const ended = killed.server.command(['catalog', 'migrate']).catch(() => undefined);
    await killed.stop();
    await ended;
    const late = await openData(storage, OLD, {}, { unmigrated: 'serve' });
    const isOld = (await late.send('GET', '/p?select=code')).status === 200;
    assert.deepEqual(await values(late, isOld ? 'code' : 'kode'), BOTH);
    await late.stop();
    const data = await openData(storage, changed, {}, { unmigrated: 'serve' });
    await command(data, 'catalog', 'migrate');
    assert.deepEqual(await data.rows('/p?select=kode,size&order=id'), [
      { kode: 'a', size: '1' },
      { kode: 'b', size: '2' },
    ]);
    await data.stop();
  });

  /** Puts another catalog in force as a start or a migration does, and dies between its two writes. */
  const killedBetweenWrites = async (storage: StoreConfig): Promise<void> => {
    const { storageOf, start, close } = await openStore(storage);
    const own = storageOf('dataquery');
    const collection = ((declared: { name: string }) => {
      const real = own.collection(declared);
      if (declared.name !== 'catalogs') return real;
      const dead = () => Promise.reject(new Error('killed'));
      return new Proxy(real, {
        get(of, key) {
          const member: unknown = Reflect.get(of, key, of);
          return key === 'replaceOne'
            ? dead
            : typeof member === 'function'
              ? (member.bind(of) as unknown)
              : member;
        },
      });
    }) as Storage['collection'];
    const records = new CatalogRecords({ ...own, collection });
    await start();
    const before = await records.current();
    await assert.rejects(records.supersede(before, stateOf(before!), new Date()), /killed/);
    await close();
  };

  // Each begins the one and has the other after either.
  for (const order of ['OLD OLD NEW', 'NEW NEW OLD']) {
    test(`a rename that is killed between its writes, and on the way back, keeps values for ${order}`, async () => {
      const storage = await filled();
      const texts = order.split(' ').map((name) => (name === 'NEW' ? NEW : OLD));
      const look = async (data: Data, text: string): Promise<void> => {
        // The older name, where the newer file has not been in force yet.
        const isOld = (await data.send('GET', '/p?select=code&limit=1')).status === 200;
        assert.ok(text === OLD || !isOld, `the names of ${text}`);
        assert.deepEqual(await values(data, isOld ? 'code' : 'kode'), BOTH);
      };
      await killedBetweenWrites(storage);
      await restarts(storage, texts, look);
      await killedBetweenWrites(storage);
      await restarts(storage, texts, look);
      const back = await openData(storage, OLD, {}, { unmigrated: 'serve' });
      await command(back, 'catalog', 'migrate');
      await back.stop();
      await killedBetweenWrites(storage);
      const last = await openData(storage, NEW, {}, { unmigrated: 'serve' });
      await command(last, 'catalog', 'migrate');
      assert.deepEqual(await values(last, 'kode'), BOTH);
      assert.equal(new Set((await command(last, 'catalog', 'history')).match(/^\d+/gm)).size, 4);
      await last.stop();
    });
  }

  test('what was dropped comes back within a week, and with --now it does not', async () => {
    const storage = await filled();
    const data = await openData(storage, catalog('size: integer'));
    const dropped = await command(data, 'catalog', 'migrate', '--drop', 'p.code');
    assert.match(dropped, /dropped public.p.code \(2 values: "a", "b"\), which is deleted on 20/);
    assert.match(await plan(data), /deleted a week after it was dropped: public.p.code/);
    await migrateTo(data, OLD);
    assert.deepEqual(await values(data, 'code'), BOTH);
    await migrateTo(data, catalog('size: integer'));
    await command(data, 'catalog', 'migrate', '--drop', 'p.code', '--now');
    await migrateTo(data, OLD);
    assert.deepEqual(await values(data, 'code'), [{ value: null }, { value: null }]);
    await data.stop();
  });

  test('a store of an earlier version that has lost sight of values finds them', async () => {
    const storage = await filled();
    const { storageOf, start, close } = await openStore(storage);
    const records = storageOf('dataquery').collection<{ _id: string }>({ name: 'catalogs' });
    await start();
    const fields = { 'public.p': { code: 'code~2' } };
    const retired = { 'public.p': { kode: { field: 'code', type: 'text' } } };
    await records.updateOne({ _id: 'current' }, {
      $set: { fields, retired },
      $unset: { ledger: true, number: true, since: true },
    } as never);
    await close();
    const data = await openData(storage, NEW);
    assert.deepEqual(await values(data, 'kode'), BOTH);
    await data.stop();
  });
});
