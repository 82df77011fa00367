/** What columns of some types are to a client: sorted, compared, and read back from CSV. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { eachStore } from '../../../support/stores.js';
import { openData, refusal, type Data } from '../support/open-data.js';

const CATALOG = `
schemas:
  public:
    relations:
      shirts:
        columns: { id: integer, size: { type: size, enum: [small, medium, large] }, tags: 'text[]', about: jsonb, raw: json, sold: boolean, worn: daterange, words: tsvector, price: 'numeric(6,2)', made: timestamptz }
        primaryKey: [id]
      labels: { columns: { shirt: integer, text: text }, primaryKey: [shirt],
        foreignKeys: { label_shirt: { columns: [shirt], references: { relation: shirts, columns: [id] } } } }
`;
const SHIRTS = [
  {
    id: 1,
    size: 'large',
    tags: ['a,b', 'c"d'],
    words: "'silk':1A 'shirt':2",
    about: { z: 1, a: [true, 'Blue dogs', { k: 'runs' }] },
    sold: true,
    worn: '[2020-01-01,2020-06-30]',
    price: 9.5,
    made: '2020-01-01T10:00:00Z',
  },
  { id: 2, size: 'small', tags: [], about: null, sold: false, worn: '[2020-07-01,)' },
  { id: 3, size: null, tags: null, about: 'x', sold: null },
  { id: 4, size: 'medium', tags: ['NULL', ''], about: 5, sold: null },
];

eachStore('a column', (store) => {
  let data: Data;
  before(async () => {
    const rows = { 'public.shirts': SHIRTS, 'public.labels': [{ shirt: 1, text: 'Hi' }] };
    data = await openData(await store.fresh(), CATALOG, rows, { aggregates: true });
  });
  after(() => data.stop());

  const ids = async (search: string): Promise<unknown[]> =>
    ((await data.rows(`/shirts?select=id&${search}`)) as { id: unknown }[]).map(({ id }) => id);

  test('of an enumeration sorts and compares as its labels are declared', async () => {
    assert.deepEqual(await ids('order=size'), [2, 4, 1, 3]);
    assert.deepEqual(await ids('order=size.desc.nullslast,id&limit=2'), [1, 4]);
    assert.deepEqual(await ids('size=gt.small&order=id'), [1, 4]);
    assert.deepEqual(await ids('size=not.gte.medium'), [2]);
    assert.deepEqual(await ids('size=lt.small'), []);
    assert.deepEqual(await ids('size=lte(any).{small,medium}&order=id'), [2, 4]);
    assert.deepEqual(await data.rows('/shirts?select=size.min(),top:size.max()'), [
      { min: 'small', top: 'large' },
    ]);
    assert.equal(refusal(await data.send('GET', '/shirts?size=gt.tiny')), '400 22P02');
  });

  test('of documents has keys of any characters, and nothing is inside of a text', async () => {
    const path = 'about->!@#$^*_d';
    await data.send('POST', '/shirts', { id: 9, about: { '!@#$^*_d': 7, 'a-b': { c: 1 } } });
    assert.deepEqual(await ids(`${encodeURIComponent(path)}=eq.7`), [9]);
    assert.deepEqual(await data.rows(`/shirts?id=eq.9&select=x:${encodeURIComponent(path)}`), [{ x: 7 }]);
    assert.deepEqual(await data.rows('/shirts?id=eq.9&select=c:about->a-b->c'), [{ c: 1 }]);
    assert.equal(refusal(await data.send('GET', '/shirts?select=about->>a->b')), '404 42883');
    await data.send('DELETE', '/shirts?id=eq.9');
  });

  test('of json has its members in their own order, of jsonb in that of jsonb', async () => {
    const document = { o: { bb: 1, a: [1, 2] } };
    await data.send('POST', '/shirts', { id: 9, about: document, raw: document });
    assert.deepEqual(await data.rows('/shirts?id=eq.9&select=raw->>o,about:about->>o'), [
      { o: '{"bb":1,"a":[1,2]}', about: '{"a": [1, 2], "bb": 1}' },
    ]);
    await data.send('DELETE', '/shirts?id=eq.9');
  });

  test('of jsonb has an empty array before all else', async () => {
    await data.send('POST', '/shirts', [
      { id: 10, about: [] },
      { id: 11, about: {} },
      { id: 12, about: [[]] },
    ]);
    assert.deepEqual(await ids('order=about.nullsfirst&id=gte.2'), [2, 10, 3, 4, 12, 11]);
    await data.send('DELETE', '/shirts?id=gte.10');
  });

  test('is cast to an array by the name that PostgreSQL has for its type', async () => {
    assert.deepEqual(await data.rows('/shirts?id=eq.1&select=tags::_text'), [{ tags: ['a,b', 'c"d'] }]);
  });

  test('of a range is compared, sorted and adjacent to another', async () => {
    assert.deepEqual(await data.rows('/shirts?select=worn&id=eq.1'), [{ worn: '[2020-01-01,2020-07-01)' }]);
    const found: readonly (readonly [filter: string, ids: number[]])[] = [
      ['worn=eq.[2020-01-01,2020-06-30]', [1]],
      ['worn=cs.[2020-02-01,2020-02-02]', [1]],
      ['worn=cd.[2019-01-01,2021-01-01)', [1]],
      ['worn=ov.[2020-06-01,2020-08-01]', [1, 2]],
      ['worn=sl.[2020-07-01,2020-07-02]', [1]],
      ['worn=sr.[2020-01-01,2020-02-01]', [2]],
      ['worn=nxr.[2020-01-01,2020-12-31]', [1]],
      ['worn=nxl.[2020-02-01,)', [2]],
      ['worn=adj.[2020-07-01,2020-08-01]', [1]],
      ['worn=not.sl.[2020-07-01,2020-07-02]', [2]],
      ['worn=not.is.null&order=worn.desc', [2, 1]],
    ];
    for (const [filter, wanted] of found) assert.deepEqual(await ids(filter), wanted, filter);
    assert.equal(refusal(await data.send('GET', '/shirts?worn=ov.2020')), '400 22P02');
    assert.equal(refusal(await data.send('GET', '/shirts?id=adj.[1,2]')), '404 42883');
    assert.equal(
      refusal(await data.send('PATCH', '/shirts', { worn: '[2020-02-01,2020-01-01]' })),
      '400 22000',
    );
  });

  test('of words is searched: text, documents and tsvector', async () => {
    const found: readonly (readonly [filter: string, ids: number[]])[] = [
      ['words=fts.shirts', [1]],
      ['words=fts(simple).shirts', []],
      ['words=fts.silk:A', [1]],
      ['words=not.plfts.silk', []],
      ['about=plfts(english).running dog', [1]],
      ['about=phfts.blue dogs', [1]],
      ['about=wfts.x', [3]],
      ['or=(about.wfts."blue or cat",words.fts.nothing)', [1]],
    ];
    for (const [filter, wanted] of found) assert.deepEqual(await ids(filter), wanted, filter);
    assert.deepEqual(await data.rows('/labels?select=text&text=wfts.-hello hi'), [{ text: 'Hi' }]);
    assert.deepEqual(await data.rows('/shirts?select=words&id=eq.1'), [{ words: "'shirt':2 'silk':1A" }]);
    assert.equal(refusal(await data.send('GET', '/shirts?words=fts.a%20b')), '400 42601');
    assert.equal(refusal(await data.send('GET', '/shirts?words=fts(klingon).a')), '400 42704');
    assert.equal(refusal(await data.send('GET', '/shirts?sold=fts.a')), '404 42883');
  });

  test('of documents compares their numbers exactly', async () => {
    const document = '{"id":9007199254740993,"price":1.10,"list":[12345678901234567890.0]}';
    await data.send('POST', '/shirts', `[{"id":20,"about":${document}}]`);
    const found: readonly (readonly [filter: string, ids: number[]])[] = [
      ['about->id=eq.9007199254740993', [20]],
      ['about->id=eq.9007199254740992', []],
      ['about->id=gt.9007199254740992', [20]],
      ['about->id=lt.9007199254740994&about->id=not.is.null', [20]],
      ['about->price=eq.1.1', [20]],
      ['about=cs.{"id":9007199254740993.0,"list":[12345678901234567890]}', [20]],
      ['about=cs.{"id":9007199254740992}', []],
      ['about=eq.{"id":9007199254740993,"price":1.1,"list":[12345678901234567890]}', [20]],
    ];
    for (const [filter, wanted] of found) assert.deepEqual(await ids(filter), wanted, filter);
    const { body } = await data.server.inject({ url: '/shirts?select=about->id,about->>price&id=eq.20' });
    assert.equal(body, '[{"id":9007199254740993,"price":"1.1"}]');
    assert.equal((await data.send('DELETE', '/shirts?id=eq.20')).status, 204);
  });

  test('reads back from the CSV that it was printed as', async () => {
    const csv = await data.send('GET', '/shirts?select=id,size,tags,sold,labels(text)&order=id', undefined, {
      accept: 'text/csv',
    });
    assert.equal(csv.headers['content-type'], 'text/csv; charset=utf-8');
    assert.equal(
      csv.body,
      [
        'id,size,tags,sold,labels',
        '1,large,"{""a,b"",""c\\""d""}",t,"{""text"": ""Hi""}"',
        '2,small,{},f,',
        '3,,,,',
        '4,medium,"{""NULL"",""""}",,',
      ].join('\n'),
    );
    const typed = await data.send('GET', '/shirts?select=price,made,about&id=in.(1,3)&order=id', undefined, {
      accept: 'text/csv',
    });
    assert.equal(
      typed.body,
      [
        'price,made,about',
        '9.50,2020-01-01 10:00:00+00,"{""a"": [true, ""Blue dogs"", {""k"": ""runs""}], ""z"": 1}"',
        ',,"""x"""',
      ].join('\n'),
    );
    const tags = await data.send('GET', '/shirts?select=id,tags&id=in.(1,2,4)&order=id', undefined, {
      accept: 'text/csv',
    });
    const answer = await data.send('PATCH', '/shirts?id=gt.0', { tags: null }, { prefer: 'return=minimal' });
    assert.equal(answer.status, 204);
    const back = await data.send('POST', '/shirts', tags.body, {
      'content-type': 'text/csv',
      prefer: 'resolution=merge-duplicates',
    });
    assert.equal(back.status, 200);
    assert.deepEqual(
      await data.rows('/shirts?select=tags&order=id'),
      SHIRTS.map(({ tags: before }) => ({ tags: before })),
    );
  });
});
