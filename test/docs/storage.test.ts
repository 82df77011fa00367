/** docs/storage.md: every example in its tables does on both stores what the page says. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { runInThisContext } from 'node:vm';
import {
  decodeCursor,
  defineErrors,
  encodeCursor,
  Type,
  Value,
  type Collection,
  type Filter,
  type Update,
} from 'plugboard/sdk';
import { root } from '../support/fixtures.js';
import { suiteStore, type Anything } from '../support/storage/store-of-test.js';
import { eachStore } from '../support/stores.js';

const page = readFileSync(join(root, 'docs/storage.md'), 'utf8');

/** The second column of the table of a section. */
function examplesIn(section: string): string[] {
  const [, rest = ''] = page.split(`\n## ${section}\n`);
  const [text = ''] = rest.split('\n## ');
  return Array.from(text.matchAll(/^\| [^|]+ \| `(.+?)` +\|/gm), ([, code = '']) => code);
}

const now = new Date(5);

function evaluate(code: string, notes?: Collection<Anything>): unknown {
  const read = runInThisContext(`(ids, now, a, notes) => (${code})`) as (...scope: unknown[]) => unknown;
  return read(['ann1', 'bob1'], now, 'new', notes);
}

const documents: Anything[] = [
  { _id: 'ann1', owner: 'ann', n: 1, title: 'Apples' },
  { _id: 'ann2', owner: 'ann', n: 9, title: 'Pears', purgedAt: now },
  { _id: 'bob1', owner: 'bob', n: 5, title: 'about', shared: true },
];

/** The ids that a filter of the page matches. */
const matched: Readonly<Record<string, string>> = {
  "{ owner: 'ann' }": 'ann1 ann2',
  "{ owner: { $ne: 'ann' } }": 'bob1',
  '{ n: { $gte: 1, $lt: 9 } }': 'ann1 bob1',
  '{ _id: { $in: ids } }': 'ann1 bob1',
  '{ purgedAt: { $exists: false } }': 'ann1 bob1',
  '{ title: { $regex: /^a/i } }': 'ann1 bob1',
  '{ n: { $not: { $gt: 3 } } }': 'ann1',
  "{ $or: [{ owner: 'ann' }, { shared: true }] }": 'ann1 ann2 bob1',
};

/** What an update of the page makes of `{ draft: 1, used: 1, log: ['old'] }`. */
const updated: Readonly<Record<string, object>> = {
  "{ $set: { 'address.city': 'Bonn' } }": { draft: 1, used: 1, log: ['old'], address: { city: 'Bonn' } },
  '{ $unset: { draft: true } }': { used: 1, log: ['old'] },
  '{ $inc: { used: 1 } }': { draft: 1, used: 2, log: ['old'] },
  '{ $max: { lastSeen: now } }': { draft: 1, used: 1, log: ['old'], lastSeen: now },
  '{ $push: { log: { $each: [a], $slice: -9 } } }': { draft: 1, used: 1, log: ['old', 'new'] },
  '{ $setOnInsert: { createdAt: now } }': { draft: 1, used: 1, log: ['old'] },
};

const answered: Readonly<Record<string, unknown>> = {
  "notes.group({}, { by: ['owner'] })": [
    { by: ['ann'], count: 2, folds: [] },
    { by: ['bob'], count: 1, folds: [] },
  ],
  "notes.distinct('owner', { shared: true })": ['bob'],
  "notes.explain({ owner: 'ann' })": { access: 'index', index: 'owner', sort: 'none' },
  'notes.ready()': undefined,
};

test('every example of the tables has its answer here', () => {
  assert.deepEqual(examplesIn('Filters'), Object.keys(matched));
  assert.deepEqual(examplesIn('Updates'), Object.keys(updated));
  assert.deepEqual(examplesIn('The rest of the port'), Object.keys(answered));
});

type Page = (cursor: string | undefined, limit: number) => Promise<{ items: Anything[]; next?: string }>;

/** The code under "Pages", over a collection. */
function pagesOf(notes: Collection<Anything>): Page {
  const code = /\n## Pages\n[\s\S]*?```js\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
  const rows = { status: 400, message: 'the cursor is invalid', when: 'it is not of this listing' };
  const errors = defineErrors({ invalid_cursor: rows });
  const scope = { decodeCursor, encodeCursor, Type, Value, errors, notes };
  const make = runInThisContext(`({ ${Object.keys(scope).join(', ')} }) => { ${code}; return page; }`) as (
    given: typeof scope,
  ) => Page;
  return make(scope);
}

eachStore('the examples of docs/storage.md', (store) => {
  const suite = suiteStore(store);
  let notes: Collection<Anything>;
  before(async () => {
    notes = await suite.collection([{ keys: { owner: 1 } }]);
    await notes.insertMany(documents);
  });

  for (const [code, ids] of Object.entries(matched))
    test(`${code} matches ${ids}`, async () => {
      const found = await notes.find(evaluate(code) as Filter<Anything>, { sort: { _id: 1 } }).toArray();
      assert.equal(found.map(({ _id }) => _id).join(' '), ids);
    });

  for (const [code, after] of Object.entries(updated))
    test(`${code} does what it says`, async () => {
      const drafts = await suite.holding<Anything>({ _id: 'd', draft: 1, used: 1, log: ['old'] });
      await drafts.updateOne({ _id: 'd' }, evaluate(code) as Update<Anything>);
      assert.deepEqual(await drafts.findOne({}), { _id: 'd', ...after });
    });

  test('pages bring every document once, in order, and a cursor of another form is refused', async () => {
    const ids = ['c', 'a', 'b', 'e', 'd'];
    const listed = await suite.collection([{ keys: { createdAt: -1, _id: 1 } }]);
    await listed.insertMany(ids.map((_id, at) => ({ _id, createdAt: new Date(at < 3 ? 9 : 5) })));
    const read = pagesOf(listed);
    const pages: string[] = [];
    let cursor: string | undefined;
    do {
      const { items, next } = await read(cursor, 2);
      pages.push(items.map(({ _id }) => _id).join(''));
      cursor = next;
    } while (cursor !== undefined);
    assert.deepEqual(pages, ['ab', 'cd', 'e']);
    for (const wrong of ['x', encodeCursor({ at: 1e300, id: 'a' }), encodeCursor(null)])
      await assert.rejects(read(wrong, 2), { code: 'invalid_cursor' });
  });

  for (const [code, answer] of Object.entries(answered))
    test(`${code} answers`, async () => {
      assert.deepEqual(await (evaluate(code, notes) as Promise<unknown>), answer);
    });
});
