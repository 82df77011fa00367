import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { eachStore } from '../../../support/stores.js';
import { openData, refusal, type Data } from '../support/open-data.js';

const CATALOG = `
schemas:
  public:
    relations:
      films: { columns: { id: integer, title: text, year: integer }, primaryKey: [id] }
    functions:
      since: { args: { year: integer, until: { type: integer, default: 3000 } }, returns: { setof: films }, where: { and: "(year.gte.$year,year.lte.$until)" } }
      newest: { args: {}, returns: { row: films }, module: ./f.mjs }
      sum: { args: { list: 'integer[]' }, returns: integer, module: ./f.mjs }
      squares: { args: { up_to: integer }, returns: { setof: { type: integer } }, module: ./f.mjs }
      forget: { args: {}, returns: void, volatile: true, module: ./f.mjs }
      refuse: { args: { why: text }, returns: integer, module: ./f.mjs }
`;
const MODULE = `
export const newest = async ({ db }) => (await db.read('films?order=year.desc&limit=1'))[0];
export const sum = ({ args }) => args.list.reduce((total, one) => total + one, 0);
export const squares = ({ args }) => Array.from({ length: args.up_to }, (_, at) => (at + 1) ** 2);
export const forget = () => {};
export const refuse = ({ args, refuse }) => { throw refuse(args.why); };
`;
const FILMS = [1950, 1985, 2000].map((year, at) => ({ id: at + 1, title: `Film ${at + 1}`, year }));

eachStore('a call', (store) => {
  let data: Data;
  before(async () => {
    data = await openData(await store.fresh(), CATALOG, { 'public.films': FILMS }, {}, { 'f.mjs': MODULE });
  });
  after(() => data.stop());
  const answerOf = async (path: string, headers: Record<string, string> = {}) => {
    const { status, body, headers: sent } = await data.send('GET', path, undefined, headers);
    return { status, body, range: sent['content-range'] };
  };

  test('of a table-valued function is read like a relation', async () => {
    assert.deepEqual(await data.rows('/rpc/since?year=1960&select=id&order=id.desc'), [{ id: 3 }, { id: 2 }]);
    assert.deepEqual(await data.rows('/rpc/since?year=1900&until=1990&title=like.*2&select=id'), [{ id: 2 }]);
    const posted = await data.send(
      'POST',
      '/rpc/since?select=id&limit=1',
      { year: 1900 },
      { prefer: 'count=exact' },
    );
    assert.deepEqual(
      [posted.status, posted.headers['content-range'], posted.body],
      [206, '0-0/3', [{ id: 1 }]],
    );
  });

  test('of a function of a module answers its row or its bare value', async () => {
    assert.deepEqual((await answerOf('/rpc/newest?select=id,year')).body, { id: 3, year: 2000 });
    assert.deepEqual(await answerOf('/rpc/sum?list={1,2,3}'), { status: 200, body: 6, range: '0-0/*' });
    assert.equal((await data.send('POST', '/rpc/sum', { list: [4, 5] })).body, 9);
    assert.equal((await data.send('POST', '/rpc/forget')).status, 204);
  });

  test('of a set of values takes a window, a count, and one value alone', async () => {
    assert.deepEqual(await answerOf('/rpc/squares?up_to=3'), {
      status: 200,
      body: [1, 4, 9],
      range: '0-2/*',
    });
    const counted = await answerOf('/rpc/squares?up_to=5&limit=2&offset=1', { prefer: 'count=exact' });
    assert.deepEqual(counted, { status: 206, body: [4, 9], range: '1-2/5' });
    const single = { accept: 'application/vnd.pgrst.object+json' };
    assert.equal((await answerOf('/rpc/squares?up_to=1', single)).body, 1);
    assert.equal(refusal(await data.send('GET', '/rpc/squares?up_to=2', undefined, single)), '406 SVC116');
  });

  describe('is refused', () => {
    const refused: readonly [method: string, path: string, body: unknown, code: string][] = [
      ['GET', '/rpc/since', undefined, '404 SVC202'],
      ['GET', '/rpc/since?year=1&nope=2', undefined, '404 SVC202'],
      ['GET', '/rpc/since?year=x', undefined, '400 22P02'],
      ['GET', '/rpc/forget', undefined, '405 25006'],
      ['GET', '/rpc/refuse?why=no', undefined, '400 P0001'],
      ['POST', '/rpc/sum', [1], '400 SVC102'],
      ['POST', '/rpc/sum', '{"list":', '400 SVC102'],
      ['PUT', '/rpc/sum', {}, '405 SVC101'],
    ];
    for (const [method, path, body, code] of refused) {
      test(`${method} ${path} ${JSON.stringify(body) ?? ''} with ${code}`, async () => {
        assert.equal(refusal(await data.send(method, path, body)), code);
      });
    }

    test('in a media type that a value does not have', async () => {
      for (const accept of ['text/csv', 'text/plain', 'image/png']) {
        assert.equal(
          refusal(await data.send('GET', '/rpc/sum?list={1}', undefined, { accept })),
          '406 SVC107',
        );
      }
    });
  });
});
