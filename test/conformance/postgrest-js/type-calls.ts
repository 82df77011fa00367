/** The calls of @supabase/postgrest-js that are about ranges, documents and words. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { PostgrestClient } from '@supabase/postgrest-js';
import type { Client, DataServer } from './calls.js';

export const CATALOG = `
schemas:
  public:
    relations:
      stays:
        columns: { id: { type: integer, default: { generated: identity } }, nights: daterange, about: jsonb, words: tsvector, note: text }
        primaryKey: [id]
      guests: { columns: { id: { type: integer, default: { generated: identity } }, stay: integer, name: text }, primaryKey: [id],
        foreignKeys: { guest_stay: { columns: [stay], references: { relation: stays, columns: [id] } } } }
`;
export const ROWS = {
  'public.stays': [
    {
      id: 1,
      nights: '[2026-01-01,2026-01-05)',
      about: { pets: ['cat'], beds: 2 },
      words: "'quiet':1 'room':2",
      note: 'Two quiet rooms',
    },
    {
      id: 2,
      nights: '[2026-01-05,2026-01-08)',
      about: { beds: 1 },
      words: "'sea':1",
      note: 'A view of the sea',
    },
    { id: 3, nights: '[2026-02-01,)', about: null, words: null, note: null },
  ],
  'public.guests': [
    { stay: 1, name: 'Ada' },
    { stay: 1, name: 'Bob' },
    { stay: 1, name: 'Cid' },
    { stay: 2, name: 'Dan' },
  ],
};

export function defineTypeCalls(open: () => Promise<DataServer>): void {
  let server: DataServer;
  let db: Client;
  before(async () => {
    server = await open();
    db = new PostgrestClient(server.url, { headers: server.headers });
  });
  after(() => server.stop());

  const stays = () => db.from('stays').select('id').order('id');
  const JANUARY_5 = '[2026-01-05,2026-01-08)';
  const cases: readonly [
    name: string,
    filter: (query: ReturnType<typeof stays>) => PromiseLike<unknown>,
    ids: number[],
  ][] = [
    ['rangeGt', (query) => query.rangeGt('nights', JANUARY_5), [3]],
    ['rangeGte', (query) => query.rangeGte('nights', JANUARY_5), [2, 3]],
    ['rangeLt', (query) => query.rangeLt('nights', JANUARY_5), [1]],
    ['rangeLte', (query) => query.rangeLte('nights', JANUARY_5), [1, 2]],
    ['rangeAdjacent', (query) => query.rangeAdjacent('nights', JANUARY_5), [1]],
    ['contains of a range', (query) => query.contains('nights', '[2026-01-02,2026-01-03)'), [1]],
    ['containedBy of a range', (query) => query.containedBy('nights', '[2026-01-01,2026-02-01)'), [1, 2]],
    ['overlaps of a range', (query) => query.overlaps('nights', '[2026-01-07,2026-03-01)'), [2, 3]],
    ['contains of a document', (query) => query.contains('about', { pets: ['cat'] }), [1]],
    ['containedBy of a document', (query) => query.containedBy('about', { beds: 1, bath: true }), [2]],
    ['eq of a place in a document', (query) => query.eq('about->>beds', '2'), [1]],
    ['textSearch', (query) => query.textSearch('words', "'quiet' & room"), [1]],
    [
      'textSearch, plain',
      (query) => query.textSearch('note', 'quiet room', { type: 'plain', config: 'english' }),
      [1],
    ],
    ['textSearch, phrase', (query) => query.textSearch('note', 'view of the sea', { type: 'phrase' }), [2]],
    [
      'textSearch, websearch',
      (query) => query.textSearch('note', 'sea or -view', { type: 'websearch' }),
      [1, 2],
    ],
    [
      'filter by a count of embedded rows',
      (query) => query.select('id, guests()').filter('guests', 'count.gte', 2),
      [1],
    ],
  ];
  describe('filters of other types', () => {
    for (const [name, filter, ids] of cases) {
      test(name, async () => {
        const { data, error } = (await filter(stays())) as { data: { id: number }[]; error: unknown };
        assert.equal(error, null);
        assert.deepEqual(
          data.map(({ id }) => id),
          ids,
        );
      });
    }
  });

  test('range and limit of an embedded resource', async () => {
    const query = db
      .from('stays')
      .select('id, guests(name)')
      .eq('id', 1)
      .order('name', { referencedTable: 'guests', ascending: false })
      .range(1, 2, { referencedTable: 'guests' });
    const { data } = await query;
    assert.deepEqual(data, [{ id: 1, guests: [{ name: 'Bob' }, { name: 'Ada' }] }]);
  });

  test('insert of a row with the rows related to it', async () => {
    const rows = [
      { note: 'Attic', guests: [{ name: 'Eve' }] },
      { note: 'Cellar', guests: [] },
    ];
    const { data, error, status } = await db
      .from('stays')
      .insert(rows)
      .select('note, guests(name)')
      .rollback();
    assert.deepEqual([status, error], [201, null]);
    assert.deepEqual(data, rows);
  });

  test('throwOnError throws what the server said', async () => {
    await assert.rejects(async () => db.from('stays').select('nope').throwOnError(), {
      name: 'PostgrestError',
      code: '42703',
      message: 'column stays.nope does not exist',
    });
    const { data } = await db.from('stays').select('id').eq('id', 2).single().throwOnError();
    assert.deepEqual(data, { id: 2 });
  });

  test('abortSignal ends a request, and the next one is answered', async () => {
    const { error, data } = await db.from('stays').select().abortSignal(AbortSignal.abort());
    assert.equal(data, null);
    assert.match(String(error?.message), /abort/i);
    const controller = new AbortController();
    const pending = db.from('stays').select('id, guests(*)').abortSignal(controller.signal);
    const settled = pending.then((answer) => answer);
    controller.abort();
    await settled;
    assert.equal(
      (await db.from('stays').select('id').abortSignal(new AbortController().signal)).data?.length,
      3,
    );
  });

  test('a header of the caller goes with the one request', async () => {
    const { status, data } = await db.from('stays').select('id').setHeader('Range', '0-0').order('id');
    assert.deepEqual([status, data], [200, [{ id: 1 }]]);
  });

  test('maybeSingle refuses several rows', async () => {
    const { error, data } = await db.from('stays').select('id').maybeSingle();
    assert.equal(data, null);
    assert.equal(error?.code, 'PGRST116');
  });
}
