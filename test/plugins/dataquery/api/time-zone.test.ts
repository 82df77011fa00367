/** `Prefer: timezone`: the zone in which a request's moments are read and shown. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { eachStore } from '../../../support/stores.js';
import { openData, refusal, type Data } from '../support/open-data.js';

const CATALOG = `
schemas:
  public:
    relations:
      shows:
        columns: { id: integer, at: timestamptz, day: date, open: tstzrange }
        primaryKey: [id]
      seats: { columns: { id: integer, show: integer, sold: timestamptz }, primaryKey: [id],
        foreignKeys: { seats_show: { columns: [show], references: { relation: shows, columns: [id] } } } }
      later_shows: { kind: view, from: shows, columns: { id: { base: id }, at: { base: at } }, where: { at: "gte.2024-07-01 00:00" } }
    functions:
      shows_since: { args: { since: timestamptz }, returns: { setof: shows }, from: shows, where: { at: gte.$since } }
`;

const ROWS = {
  'public.shows': [
    { id: 1, at: '2024-06-30T23:30:00Z', day: '2024-07-01', open: '[2024-06-30 20:00Z,2024-06-30 22:00Z)' },
    { id: 2, at: '2024-07-01T10:00:00Z', day: null, open: null },
  ],
  'public.seats': [{ id: 1, show: 1, sold: '2024-01-01T00:00:00Z' }],
};

const BERLIN = { prefer: 'timezone=Europe/Berlin' };

eachStore('a request with a time zone', (store) => {
  let data: Data;
  before(async () => {
    data = await openData(await store.fresh(), CATALOG, ROWS);
  });
  after(() => data.stop());

  const get = (path: string, headers: Record<string, string> = BERLIN) =>
    data.send('GET', path, undefined, headers);

  test('shows moments there, in embeds and casts too', async () => {
    const answer = await get('/shows?select=at,day:at::date,text:at::text,open,seats(sold)&id=eq.1');
    assert.equal(answer.headers['preference-applied'], 'timezone=Europe/Berlin');
    assert.deepEqual(answer.body, [
      {
        at: '2024-07-01T01:30:00+02:00',
        day: '2024-07-01',
        text: '2024-07-01 01:30:00+02',
        open: '["2024-06-30 22:00:00+02","2024-07-01 00:00:00+02")',
        seats: [{ sold: '2024-01-01T01:00:00+01:00' }],
      },
    ]);
    const other = await get('/shows?select=at&id=eq.1', {});
    assert.deepEqual(other.body, [{ at: '2024-06-30T23:30:00+00:00' }]);
    assert.equal(other.headers['preference-applied'], undefined);
  });

  test('that is an offset shows them so', async () => {
    const answer = await get('/shows?select=at&id=eq.1', { prefer: 'timezone=+05:30' });
    assert.equal(answer.headers['preference-applied'], 'timezone=+05:30');
    assert.deepEqual(answer.body, [{ at: '2024-07-01T05:00:00+05:30' }]);
    for (const zone of ['+05:60', '+16:00', '05:30', '+5']) {
      const refused = await get('/shows', { prefer: `handling=strict, timezone=${zone}` });
      assert.equal(refusal(refused), '400 SVC122', zone);
    }
  });

  test('reads what names no offset as a moment there', async () => {
    const ids = async (path: string, headers?: Record<string, string>) =>
      ((await get(path, headers)).body as { id: number }[]).map(({ id }) => id);
    assert.deepEqual(await ids('/shows?select=id&at=lt.2024-07-01 01:31'), [1]);
    assert.deepEqual(await ids('/shows?select=id&at=lt.2024-07-01 01:31', {}), [1]);
    assert.deepEqual(await ids('/shows?select=id&at=lt.2024-07-01'), []);
    assert.deepEqual(await ids('/shows?select=id&at=lt.2024-07-01', {}), [1]);
    assert.deepEqual(await ids('/shows?select=id&at=gte.2024-07-01 12:00'), [2]);
    assert.deepEqual(await ids('/rpc/shows_since?since=2024-07-01 00:00&select=id'), [1, 2]);
    assert.deepEqual(await ids('/rpc/shows_since?since=2024-07-01 00:00&select=id', {}), [2]);
  });

  test('leaves what the catalog says as it is', async () => {
    const answer = await get('/later_shows');
    assert.deepEqual(answer.body, [{ id: 2, at: '2024-07-01T12:00:00+02:00' }]);
  });

  test('writes moments of it', async () => {
    const prefer = 'timezone=Asia/Kolkata, return=representation';
    const made = await data.send('POST', '/shows?select=at', { id: 3, at: '2024-01-01 05:30' }, { prefer });
    assert.deepEqual(made.body, [{ at: '2024-01-01T05:30:00+05:30' }]);
    const changed = await data.send('PATCH', '/shows?id=eq.3', { at: '2024-01-01 06:30' }, { prefer });
    assert.equal(changed.headers['preference-applied'], 'return=representation, timezone=Asia/Kolkata');
    assert.deepEqual((await get('/shows?select=at&id=eq.3', {})).body, [{ at: '2024-01-01T01:00:00+00:00' }]);
    assert.equal((await data.send('DELETE', '/shows?id=eq.3')).status, 204);
  });

  test('that is none is passed over, and refused when handling is strict', async () => {
    const answer = await get('/shows?select=at&id=eq.2', { prefer: 'timezone=Mars/Olympus' });
    assert.deepEqual(answer.body, [{ at: '2024-07-01T10:00:00+00:00' }]);
    assert.equal(answer.headers['preference-applied'], undefined);
    const strict = { prefer: 'handling=strict, timezone=Mars/Olympus' };
    assert.equal(refusal(await get('/shows', strict)), '400 SVC122');
  });

  test('is one of many that take turns', async () => {
    const zones = Intl.supportedValuesOf('timeZone').slice(0, 40);
    for (const zone of [...zones, 'Europe/Berlin']) {
      const { status, body } = await get('/shows?select=at&id=eq.2', { prefer: `timezone=${zone}` });
      assert.equal(status, 200);
      const [row] = body as { at: string }[];
      assert.equal(Date.parse(row?.at ?? ''), Date.parse('2024-07-01T10:00:00Z'), zone);
    }
  });
});
