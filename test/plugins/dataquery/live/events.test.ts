/** Changes of rows as server-sent events: who is told of what, and where a client goes on. */
import assert from 'node:assert/strict';
import { after, before, test, type TestContext } from 'node:test';
import { eachStore, type StoreConfig } from '../../../support/stores.js';
import { anIssuer, openGuarded, type GuardedData, type Issuer, type Who } from '../support/guarded-data.js';
import { EventStreamReader, TODOS } from '../support/live-data.js';

const ann = { role: 'authenticated', sub: 'ann' };
const bob = { role: 'authenticated', sub: 'bob' };

eachStore('changes as events', (store) => {
  const stops: (() => unknown)[] = [];
  let issuer: Issuer;
  let storage: StoreConfig;
  let data: GuardedData;
  let url: string;
  before(async () => {
    issuer = await anIssuer((stop) => stops.push(stop));
    storage = await store.fresh();
    data = await openGuarded(
      storage,
      issuer,
      TODOS,
      {},
      {},
      { maxSubscriptions: 20, maxSubscriptionsPerCaller: 12 },
    );
    stops.push(() => data.stop());
    url = await data.server.listen();
  });
  after(async () => {
    for (const stop of stops.reverse()) await stop();
  });

  async function follow(
    t: TestContext,
    who: Who,
    query: string,
    headers: Record<string, string> = {},
    at = url,
  ): Promise<EventStreamReader> {
    const token = typeof who === 'object' ? await data.tokenOf(who) : who;
    const stream = await EventStreamReader.open(`${at}/-/changes?${query}`, {
      ...headers,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    });
    t.after(() => stream.close());
    return stream;
  }

  async function write(method: string, path: string, body?: unknown, who: Who = data.bypass): Promise<void> {
    const { status, text } = await data.send(who, method, path, { body });
    assert.ok(status < 300, `${method} ${path}: ${status} ${text}`);
  }

  test('a person is told of what they may see, with the columns that they may read', async (t) => {
    const own = await follow(t, ann, 'relation=todos');
    assert.match(own.response.headers.get('content-type') ?? '', /^text\/event-stream/);
    await own.expect('ready');
    await write('POST', '/todos', { id: 1, user_id: 'bob', title: 'theirs', secret: 'x' });
    await write('POST', '/todos', {
      id: 2,
      user_id: 'ann',
      title: 'a\nb',
      secret: 'x',
      more: '"5"',
    });
    const made = await own.expect('insert');
    const row = { id: 2, user_id: 'ann', title: 'a\nb', done: false, big: null, more: '"5"', price: null };
    assert.deepEqual(made.data['record'], row);
    assert.deepEqual(
      [made.data['schema'], made.data['table'], made.data['type']],
      ['public', 'todos', 'INSERT'],
    );
    await write('PATCH', '/todos?id=eq.2', { done: true });
    const changed = await own.expect('update');
    assert.deepEqual([changed.data['record'], changed.data['old_record']], [{ ...row, done: true }, row]);
    await write('DELETE', '/todos?id=in.(1,2)');
    const gone = await own.expect('delete');
    assert.deepEqual([gone.data['record'], gone.data['old_record']], [{}, { ...row, done: true }]);
  });

  test('a row that leaves what somebody sees is told so, and one that comes is a change without a past', async (t) => {
    const [own, other] = [await follow(t, ann, 'relation=todos'), await follow(t, bob, 'relation=todos')];
    await own.expect('ready');
    await other.expect('ready');
    await write('POST', '/todos', { id: 11, user_id: 'ann', title: 'given' });
    await own.expect('insert');
    await write('PATCH', '/todos?id=eq.11', { user_id: 'bob' });
    const left = await own.expect('leave');
    assert.deepEqual([left.data['record'], (left.data['old_record'] as { id: number }).id], [{}, 11]);
    const came = await other.expect('update');
    assert.deepEqual([(came.data['record'] as { id: number }).id, came.data['old_record']], [11, {}]);
    await write('DELETE', '/todos?id=eq.11');
    await other.expect('delete');
    await write('POST', '/todos', { id: 12, user_id: 'ann' });
    assert.equal((await own.expect('insert')).data['type'], 'INSERT');
    await write('DELETE', '/todos?id=eq.12');
  });

  test('a policy that asks another table is asked when a row changes', async (t) => {
    const own = await follow(t, ann, 'relation=todos');
    await own.expect('ready');
    await write('POST', '/todos', { id: 21, user_id: 'bob', title: 'shared' });
    // Changes are judged in their order: that of 21 has been once 23 is told.
    await write('POST', '/todos', { id: 23, user_id: 'ann' });
    assert.equal(((await own.expect('insert')).data['record'] as { id: number }).id, 23);
    await write('POST', '/members', { user_id: 'ann', todo_id: 21 });
    await write('PATCH', '/todos?id=eq.21', { title: 'shared now' });
    assert.equal(((await own.expect('update')).data['record'] as { title: string }).title, 'shared now');
    await write('DELETE', '/members?todo_id=eq.21');
    await write('PATCH', '/todos?id=eq.21', { title: 'no more' });
    await write('POST', '/todos', { id: 22, user_id: 'ann' });
    assert.equal(((await own.expect('insert')).data['record'] as { id: number }).id, 22);
    await write('DELETE', '/todos?id=in.(21,22,23)');
  });

  test('a filter, and a view over the table', async (t) => {
    const some = await follow(
      t,
      data.bypass,
      `relation=todos&filter=${encodeURIComponent('done=is.true,id=in.(31,32)')}`,
    );
    const view = await follow(t, data.bypass, 'relation=open_todos');
    await some.expect('ready');
    await view.expect('ready');
    await write('POST', '/todos', [
      { id: 31, title: 'a, b', done: false },
      { id: 33, title: 'c', done: true },
    ]);
    assert.deepEqual((await view.expect('insert')).data['record'], { id: 31, what: 'a, b' });
    await write('PATCH', '/todos?id=eq.31', { done: true });
    assert.equal(((await some.expect('update')).data['record'] as { id: number }).id, 31);
    assert.deepEqual((await view.expect('leave')).data['old_record'], { id: 31, what: 'a, b' });
    await write('DELETE', '/todos?id=in.(31,33)');
    await some.expect('delete');
  });

  test('a client that was away goes on from its last id, also where nothing came meanwhile', async (t) => {
    const first = await follow(t, ann, 'relation=todos');
    const ready = await first.expect('ready');
    await write('POST', '/todos', { id: 41, user_id: 'ann' });
    const { id = '' } = await first.expect('insert');
    first.close();
    await write('POST', '/todos', { id: 42, user_id: 'bob' });
    await write('POST', '/todos', { id: 43, user_id: 'ann' });
    await write('DELETE', '/todos?id=eq.41');
    const again = await follow(t, ann, 'relation=todos', { 'last-event-id': id });
    await again.expect('ready');
    assert.equal(((await again.expect('insert')).data['record'] as { id: number }).id, 43);
    const last = await again.expect('delete');
    await write('POST', '/todos', { id: 44, user_id: 'ann' });
    assert.equal(((await again.expect('insert')).data['record'] as { id: number }).id, 44);
    const idle = await follow(t, ann, `relation=todos&after=${last.id}`);
    await idle.expect('ready');
    assert.equal(((await idle.expect('insert')).data['record'] as { id: number }).id, 44);
    await write('DELETE', '/todos?id=in.(42,43,44)');
    assert.equal((await idle.expect('delete')).event, 'delete');
    const whole = await follow(t, ann, 'relation=todos', { 'last-event-id': ready.id ?? '' });
    await whole.expect('ready');
    const told: string[] = [];
    for (let at = 0; at < 6; at += 1) told.push((await whole.next())?.event ?? 'end');
    assert.deepEqual(told, ['insert', 'insert', 'delete', 'insert', 'delete', 'delete']);
  });

  test('who was away for longer than changes are kept is told to read again', async (t) => {
    for (const id of ['embedded:999999999', 'nonsense', '82'.repeat(30)]) {
      const stream = await follow(t, ann, 'relation=todos', { 'last-event-id': id });
      await stream.expect('ready');
      assert.match(String((await stream.expect('reread')).data['reason']), /read what you show again/);
      await write('POST', '/todos', { id: 51, user_id: 'ann' });
      await stream.expect('insert');
      await write('DELETE', '/todos?id=eq.51');
      // A slow feed would bring it to the next one.
      await stream.expect('delete');
    }
  });

  test('what cannot be followed is refused with a reason', async (t) => {
    const refused = async (query: string, who: Who | null = data.bypass) => {
      const stream = await follow(t, who ?? undefined, query);
      return `${stream.response.status} ${stream.response.ok ? '' : await stream.code()}`;
    };
    assert.equal(await refused('relation=quiet'), '400 SVC132');
    assert.equal(await refused('relation=nothing'), '404 SVC205');
    assert.equal(await refused('relation=todos&schema=other'), '404 SVC205');
    assert.equal(await refused('relation=todos&filter=order=id'), '400 SVC100');
    assert.equal(await refused('relation=todos&filter=members.id=eq.1'), '400 SVC100');
    assert.equal(await refused('relation=todos&filter=nothing=eq.1'), '400 42703');
    assert.equal(await refused('relation=todos&filter=id=eq.x'), '400 22P02');
    assert.equal(await refused('relation=todos&filter=secret=eq.x', ann), '403 42501');
    assert.equal(await refused(`relation=todos&filter=${'id=eq.1,'.repeat(600)}`), '400 SVC100');
    assert.equal(await refused('relation=todos&filter=title=eq.x', null), '401 42501');
    assert.equal(await refused('relation=todos', 'pb_wrong'), '401 invalid_api_key');
    assert.equal(await refused(''), '400 invalid_request');
  });

  test('a key that is revoked ends its stream', async (t) => {
    const words = ['keys', 'create', 'two', '--json', '--scope', 'data:read'];
    const key = JSON.parse((await data.server.command(words)).stdout) as { id: string; key: string };
    const stream = await follow(t, key.key, 'relation=todos');
    await stream.expect('ready');
    await data.server.command(['keys', 'revoke', key.id]);
    assert.equal((await stream.expect('error')).data['code'], 'api_key_revoked');
    assert.equal(await stream.next(), undefined);
  });

  test('more subscriptions than the config takes are refused, and one that ends makes room', async (t) => {
    const open: EventStreamReader[] = [];
    const fill = async (who: Who): Promise<unknown[]> => {
      for (let opened = 0; ; opened += 1) {
        const stream = await follow(t, who, 'relation=todos');
        const { status, headers } = stream.response;
        if (status !== 200) return [opened <= 12, status, headers.get('retry-after')];
        await stream.expect('ready');
        open.push(stream);
      }
    };
    assert.deepEqual(await fill(data.bypass), [true, 429, '10'], 'others have theirs still');
    assert.deepEqual(await fill(ann), [true, 503, '10']);
    assert.ok(open.length <= 20);
    for (const stream of open) stream.close();
    for (;;) {
      const stream = await follow(t, data.bypass, 'relation=todos');
      if (stream.response.status === 200) break;
    }
  });

  test('a write that is undone is not told', async (t) => {
    const stream = await follow(t, data.bypass, 'relation=todos');
    await stream.expect('ready');
    await data.send(data.bypass, 'POST', '/todos', { body: { id: 61 }, prefer: 'tx=rollback' });
    await data.send(data.bypass, 'POST', '/todos', { body: [{ id: 62 }, { id: 62 }] });
    await write('POST', '/todos', { id: 63 });
    assert.equal(((await stream.expect('insert')).data['record'] as { id: number }).id, 63);
    await write('DELETE', '/todos?id=eq.63');
  });

  test('another instance tells what this one writes', { skip: store.alone }, async (t) => {
    const other = await openGuarded(storage, issuer, TODOS);
    t.after(() => other.stop());
    const stream = await follow(t, ann, 'relation=todos', {}, await other.server.listen());
    await stream.expect('ready');
    await write('POST', '/todos', { id: 71, user_id: 'ann' });
    const { id = '' } = await stream.expect('insert');
    stream.close();
    await write('DELETE', '/todos?id=eq.71');
    // The id of one instance is known to the other.
    const here = await follow(t, ann, 'relation=todos', { 'last-event-id': id });
    await here.expect('ready');
    await here.expect('delete');
  });

  test('a server that stops ends its streams', async (t) => {
    const own = await openGuarded(await store.fresh(), issuer, TODOS);
    const stream = await EventStreamReader.open(`${await own.server.listen()}/-/changes?relation=todos`, {
      authorization: `Bearer ${own.bypass}`,
    });
    t.after(() => stream.close());
    await stream.expect('ready');
    await own.stop();
    assert.equal(await stream.next(), undefined);
  });
});
