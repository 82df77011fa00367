import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { eventually } from '../../support/eventually.js';
import { eachStore } from '../../support/stores.js';
import { Budget } from '../../../plugins/dataquery/engine/base/budget.js';
import { openData, refusal, type Data } from './support/open-data.js';

const CATALOG = `
exposed: [public]
schemas:
  public:
    relations:
      parents: { columns: { id: integer, name: text, big: bigint, at: timestamptz, n: numeric, code: "character(10)", meta: jsonb, tags: "text[]" }, primaryKey: [id] }
      children:
        columns: { id: integer, parent_id: integer, text: text }
        primaryKey: [id]
        foreignKeys:
          children_parent: { columns: [parent_id], references: { relation: parents, columns: [id] }, onDelete: cascade }
`;

const ROWS = {
  'public.parents': Array.from({ length: 20 }, (_, id) => ({ id, name: `parent ${id}` })),
  'public.children': Array.from({ length: 400 }, (_, id) => ({
    id,
    parent_id: id % 20,
    text: `the quick brown fox ${id} ${'lorem ipsum '.repeat(100)}`,
  })),
};

eachStore('what one request may cost', (store) => {
  let data: Data;
  before(async () => {
    data = await openData(await store.fresh(), CATALOG, ROWS, {
      maxReadRows: 3_000,
      maxAnswer: 200_000,
      maxRows: 500,
      aggregates: true,
    });
  });
  after(() => data.stop());

  const refused = async (path: string): Promise<string> => {
    const answer = await data.send('GET', path);
    assert.equal(refusal(answer), '400 SVC129');
    return String((answer.body as { details: string }).details);
  };

  test('embeds that multiply are refused when their answer grows too long, with how to page', async () => {
    const nested = (depth: number): string =>
      depth === 0 ? 'id' : `id,children(parents(${nested(depth - 1)}))`;
    const path = `/parents?select=${nested(5)}`;
    assert.match(await refused(path), /more than 200000 characters/);
    const { body } = await data.send('GET', path);
    assert.match((body as { hint: string }).hint, /limit and offset/);
  });

  test('rows of all levels together are bounded', async () => {
    assert.match(
      await refused(
        '/parents?select=id,a:children(id,parents(children(id))),b:children(id,parents(children(id)))',
      ),
      /more than (3000 rows|200000 characters)/,
    );
    const few = await openData(await store.fresh(), CATALOG, ROWS, { maxReadRows: 100 });
    const answer = await few.send('GET', '/parents?select=children(id)');
    await few.stop();
    assert.deepEqual(
      [refusal(answer), (answer.body as { details: string }).details],
      ['400 SVC129', 'The request reads more than 100 rows.'],
    );
  });

  test('each level holds at most maxRows rows', async () => {
    const few = await openData(await store.fresh(), CATALOG, ROWS, { maxRows: 3 });
    const rows = (await few.rows('/parents?select=id,children(id)&order=id')) as { children: unknown[] }[];
    await few.stop();
    assert.deepEqual(
      rows.map(({ children }) => children.length),
      [3, 3, 3],
    );
  });

  test('a request that takes too long is refused', async () => {
    const slow = await openData(await store.fresh(), CATALOG, ROWS, { maxTime: 50 });
    const pattern = `&text=match.${encodeURIComponent('([a-z ]{1,50}){1,20}$')}`;
    const answer = await slow.send('GET', `/children?select=id${pattern.repeat(8)}`);
    await slow.stop();
    // A database that is slower than that is what the request waits for.
    const work = '400 SVC129 The request takes more than 50 ms of work.';
    const wait = '503 SVC000 The storage has not answered for 50 ms.';
    const refused = `${refusal(answer)} ${(answer.body as { details: string }).details}`;
    assert.ok((store.name === 'embedded' ? [work] : [work, wait]).includes(refused), refused);
  });

  const limits = { rows: 1, characters: 1, milliseconds: 1_000, writtenRows: 1, writtenCharacters: 1 };

  test('the turns of others are not time that a request takes', async () => {
    const began = performance.now();
    const work = async (): Promise<void> => {
      const budget = new Budget(limits);
      for (let turn = 0; turn < 8; turn += 1) {
        while (!budget.isDue);
        await budget.pause();
      }
    };
    // Each works for some 32 ms, and all of them for longer than one may.
    await Promise.all(Array.from({ length: 50 }, work));
    assert.ok(performance.now() - began > limits.milliseconds);
    const alone = new Budget({ ...limits, milliseconds: 20 });
    await assert.rejects(
      async () => {
        for (;;) {
          while (!alone.isDue);
          await alone.pause();
        }
      },
      { code: 'SVC129' },
    );
  });

  test('a database that does not answer is 503 with when to ask again, and no request that costs too much', async () => {
    const budget = new Budget({ ...limits, milliseconds: 20 });
    await assert.rejects(budget.answerInTime(new Promise(() => {})), {
      code: 'SVC000',
      status: 503,
      headers: { 'retry-after': '1' },
    });
  });

  test('what a store in this process waits for is not time that a request takes', async () => {
    const budget = new Budget({ ...limits, milliseconds: 20 }, { requests: 1 });
    const idle = new Promise((resolve) => setTimeout(resolve, 100, 'answered'));
    assert.equal(await budget.answerInTime(idle), 'answered');
  });

  test('filters are bounded by their weight, whether they are separate or in a list', async () => {
    const apart = Array.from({ length: 51 }, (_, at) => `text=match.${at}`).join('&');
    assert.match(await refused(`/children?${apart}`), /weigh 510, the limit is 500/);
    const list = Array.from({ length: 51 }, (_, at) => at).join(',');
    assert.match(await refused(`/children?text=match(any).{${list}}`), /weigh 510/);
  });

  test('a write of too many rows is refused whole: those of a body, those it finds, and those that go with them', async () => {
    const few = await openData(await store.fresh(), CATALOG, ROWS, { maxWriteRows: 15, maxWrite: 20_000 });
    const rows = (count: number) => Array.from({ length: count }, (_, at) => ({ id: 500 + at }));
    const refusals: unknown[] = [];
    for (const [method, path, body] of [
      ['POST', '/parents', rows(16)],
      ['PATCH', '/parents?id=gte.0', { name: 'x' }],
      ['DELETE', '/children?parent_id=eq.1', undefined],
      ['DELETE', '/parents?id=eq.1', undefined],
      ['PATCH', '/children?parent_id=eq.1&limit=15&order=id', { text: 'x'.repeat(2_000) }],
    ] as const) {
      const answer = await few.send(method, path, body);
      refusals.push([refusal(answer), (answer.body as { details: string }).details]);
    }
    const tooMany = ['400 SVC129', 'The request writes more than 15 rows.'];
    assert.deepEqual(refusals, [
      ['400 SVC129', 'A body holds at most 15 rows.'],
      tooMany,
      tooMany,
      tooMany,
      ['400 SVC129', 'The rows that the request writes have more than 20000 characters.'],
    ]);
    assert.equal((await few.send('POST', '/parents', rows(15))).status, 201);
    assert.equal((await few.send('DELETE', '/children?parent_id=eq.1&limit=15&order=id')).status, 204);
    const left = (await few.rows('/children?select=id&parent_id=eq.1')) as unknown[];
    assert.equal(left.length, 5);
    assert.equal((await few.send('DELETE', '/parents?id=eq.1')).status, 204);
    assert.deepEqual(await few.rows('/children?select=id&parent_id=eq.1'), []);
    for (const id of [700, 701, 702])
      assert.equal((await few.send('POST', '/parents', { id, name: 'x'.repeat(9_000) })).status, 201);
    const long = await few.send('DELETE', '/parents?id=gte.700');
    assert.match((long.body as { details: string }).details, /more than 20000 characters/);
    assert.equal((await few.send('DELETE', '/parents?id=gte.701')).status, 204);
    assert.deepEqual(await few.rows('/parents?select=id&id=gte.700'), [{ id: 700 }]);
    await few.stop();
  });

  test('orders are bounded, and those that can decide nothing do not count', async () => {
    const names = Array.from({ length: 101 }, (_, at) => `meta->k${at}`).join(',');
    assert.match(await refused(`/parents?order=${names}`), /ordered by 101 values, the limit is 100/);
    const repeated = Array.from({ length: 1_000 }, () => 'name.desc').join(',');
    const rows = (await data.rows(`/parents?select=name&limit=1&order=${repeated}`)) as object[];
    assert.deepEqual(rows, [{ name: 'parent 9' }]);
  });

  test('sums of what is no finite number, and arrays of different depths, are answered', async () => {
    for (const [n, sum] of [
      ['NaN', 'NaN'],
      ['Infinity', 'Infinity'],
      ['-Infinity', '-Infinity'],
    ]) {
      await data.send('PATCH', '/parents?id=eq.0', { n });
      assert.deepEqual(await data.rows('/parents?select=n.sum(),n.avg()'), [{ sum, avg: sum }]);
    }
    await data.send('PATCH', '/parents?id=eq.0', { n: null, tags: ['a', 'b'] });
    assert.deepEqual(await data.rows('/parents?select=id&tags=eq.{{a}}'), []);
    assert.deepEqual(await data.rows('/parents?select=id&tags=lt.{{a}}'), [{ id: 0 }]);
    const long = { id: 1_001, tags: `{${'a,'.repeat(50_000)}a}` };
    assert.equal(refusal(await data.send('POST', '/parents', long)), '400 54000');
  });

  test('dozens of patterns find the same in long texts as in short ones', async () => {
    const some = (found: string): string =>
      `${Array.from({ length: 40 }, (_, at) => `*none ${at}*`).join(',')},${found}`;
    await data.send('PATCH', '/parents?id=eq.3', { name: `${'x'.repeat(120_000)} end` });
    const ids = async (query: string): Promise<unknown> => data.rows(`/parents?select=id&id=lt.20&${query}`);
    assert.deepEqual(await ids(`name=like(any).{${some('*end')}}`), [{ id: 3 }]);
    assert.deepEqual(await ids(`name=like(any).{${some('*ent 7')}}`), [{ id: 7 }]);
    assert.deepEqual(await ids(`name=not.like(all).{${some('*')}}&id=in.(3,7)`), [{ id: 3 }, { id: 7 }]);
    assert.deepEqual(await ids('name=fts.end'), []);
    await data.send('PATCH', '/parents?id=eq.3', { name: 'parent 3' });
  });

  test('rows with long texts are answered as others are, embedded, spread and stripped of nulls, and refused where they name a text thousands of times', async () => {
    const name = 'x'.repeat(60_000);
    await data.send('PATCH', '/parents?id=eq.4', { name });
    const row = { id: 4, name, big: null };
    assert.deepEqual(await data.rows('/parents?id=eq.4&select=id,name,big'), [row]);
    assert.deepEqual(await data.rows('/children?id=eq.4&select=id,parents(id,name,big)'), [
      { id: 4, parents: row },
    ]);
    assert.deepEqual(await data.rows('/children?id=eq.4&select=...parents(id,name,big)'), [row]);
    const headers = { accept: 'application/vnd.pgrst.array+json;nulls=stripped' };
    const { body } = await data.send('GET', '/parents?id=eq.4&select=big,id,name', undefined, headers);
    assert.deepEqual(body, [{ id: 4, name }]);
    assert.match(
      await refused(`/parents?id=eq.4&select=${'name,'.repeat(10_000)}id`),
      /more than 200000 characters/,
    );
    await data.send('PATCH', '/parents?id=eq.4', { name: 'parent 4' });
  });

  test('literals that long patterns take quadratic time for are refused at once', async () => {
    const zeros = `${'0'.repeat(200_000)}x`;
    const blanks = `${' '.repeat(200_000)}x`;
    const bodies = [
      [{ big: zeros }, '400 22P02'],
      [{ n: zeros }, '400 22P02'],
      [{ n: `${zeros.slice(0, -1)}.${zeros}` }, '400 22P02'],
      [{ at: `2020-01-01${blanks}` }, '400 22007'],
      [{ code: blanks }, '400 22001'],
    ] as const;
    for (const [body, expected] of bodies) {
      assert.equal(refusal(await data.send('POST', '/parents', { id: 1_000, ...body })), expected);
    }
  });

  test('a phrase of 7,000 words and a long group are answered', async () => {
    const words = Array.from({ length: 2_300 }, (_, at) => `w${at}`).join(' ');
    assert.deepEqual(await data.rows(`/children?select=id&text=phfts.${encodeURIComponent(words)}`), []);
    const tsquery = Array.from({ length: 1_500 }, () => 'a').join('|');
    assert.deepEqual(await data.rows(`/children?select=id&text=fts(simple).${tsquery}`), []);
    const found = await data.rows(
      `/children?select=id&id=lt.2&text=phfts.${encodeURIComponent('brown fox 1')}`,
    );
    assert.deepEqual(found, [{ id: 1 }]);
  });

  test('a long URL gets no content-location', async () => {
    const ids = Array.from({ length: 2_000 }, (_, at) => at).join(',');
    const long = await data.send('GET', `/children?select=id&id=in.(${ids})`);
    assert.equal(long.headers['content-location'], undefined);
    const short = await data.send('GET', '/children?select=id&id=in.(1,2)');
    assert.equal(short.headers['content-location'], '/children?id=in.(1%2C2)&select=id');
  });
});

test('answers that clients do not read are cut off when too much waits', async (t) => {
  const path = await mkdtemp(join(tmpdir(), 'plugboard-data-'));
  const data = await openData({ use: 'embedded', path }, CATALOG, ROWS, {}, {}, '/', {
    maxUnread: 15_000_000,
  });
  t.after(() => rm(path, { recursive: true }));
  t.after(() => data.stop());
  const address = new URL(await data.server.listen());
  let closed = 0;
  data.server.app.server.on('connection', (socket: Socket) => socket.on('close', () => (closed += 1)));
  const path10MB = '/parents?select=id,children(text,parents(children(text)))';
  const sockets = Array.from({ length: 6 }, () => connect(Number(address.port), address.hostname));
  t.after(() => sockets.forEach((socket) => void socket.destroy()));
  const answers = sockets.map(async (socket) => {
    let text = '';
    socket.write(`GET ${path10MB} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
    const ended = new Promise<void>((resolve) => void socket.once('close', () => resolve()));
    socket.on('error', () => {});
    await once(socket, 'readable');
    // The head is here: the answer is under way, and waits until one is cut off.
    await eventually(() => closed > 0, 'an answer is cut off');
    socket.on('data', (piece: Buffer) => void (text = (text + piece.toString('latin1')).slice(-20)));
    await ended;
    return text.endsWith('0\r\n\r\n');
  });
  const whole = (await Promise.all(answers)).filter((isWhole) => isWhole).length;
  assert.ok(whole < 6, 'none was cut off');
  assert.equal((await data.send('GET', '/parents?select=id&limit=1')).status, 200);
});
