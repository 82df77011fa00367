/** The client of Supabase, unmodified, with a person's token: it subscribes to rows, within policies, over a real socket. */
import assert from 'node:assert/strict';
import { after, before, test, type TestContext } from 'node:test';
import {
  createClient,
  REALTIME_SUBSCRIBE_STATES,
  type RealtimeChannel,
  type RealtimePostgresChangesPayload,
  type SupabaseClient,
} from '@supabase/supabase-js';
import { WebSocket } from 'ws';
import { eventually } from '../support/eventually.js';
import { eachStore } from '../support/stores.js';
import { anIssuer, openGuarded, type GuardedData } from '../plugins/dataquery/support/guarded-data.js';
import { TODOS } from '../plugins/dataquery/support/live-data.js';

type Todo = Readonly<Record<string, unknown>>;
type Payload = RealtimePostgresChangesPayload<Todo>;

eachStore('supabase-js subscribes', (store) => {
  const stops: (() => unknown)[] = [];
  let data: GuardedData;
  let url: string;
  let page: string;
  before(async () => {
    const issuer = await anIssuer((stop) => stops.push(stop));
    data = await openGuarded(
      await store.fresh(),
      issuer,
      TODOS,
      {},
      {},
      { realtime: true, maxSubscriptionsPerCaller: 30 },
    );
    stops.push(() => data.stop());
    url = await data.server.listen();
    const words = ['keys', 'create', 'page', '--publishable', '--json'];
    page = (JSON.parse((await data.server.command(words)).stdout) as { key: string }).key;
  });
  after(async () => {
    for (const stop of stops.reverse()) await stop();
  });

  /** Sockets that it opened come into `sockets`. */
  function client(
    t: TestContext,
    sub: string,
    claims: object = {},
    sockets: WebSocket[] = [],
  ): SupabaseClient {
    class Transport extends WebSocket {
      constructor(address: string) {
        super(address);
        sockets.push(this);
      }
    }
    const made = createClient(url, page, {
      accessToken: () => data.tokenOf({ role: 'authenticated', sub, ...claims }),
      realtime: { transport: Transport as never, reconnectAfterMs: () => 20 },
    });
    t.after(() => made.removeAllChannels());
    return made;
  }

  /** Of a client that has its token: it joins with its key alone before. */
  async function subscribed(channel: RealtimeChannel): Promise<void> {
    await channel.socket.setAuth();
    return new Promise((resolve, reject) => {
      channel.subscribe((status, error) => {
        if (status === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED) resolve();
        else if (status === REALTIME_SUBSCRIBE_STATES.CHANNEL_ERROR) reject(error ?? new Error(status));
      });
    });
  }

  async function write(method: string, path: string, body?: unknown): Promise<void> {
    const { status, text } = await data.send(data.bypass, method, path, { body });
    assert.ok(status < 300, text);
  }

  test('rows that the person may see are told, with the values that reading gives', async (t) => {
    const ann = client(t, 'ann');
    const told: Payload[] = [];
    await subscribed(
      ann
        .channel('room')
        .on('postgres_changes', { event: '*', schema: 'public', table: 'todos' }, (payload: Payload) =>
          told.push(payload),
        ),
    );
    await write('POST', '/todos', { id: 1, user_id: 'bob', title: 'theirs' });
    const own = { id: 2, user_id: 'ann', title: 'mine', done: false, big: 5, more: '"5"', price: '1.50' };
    await ann
      .from('todos')
      .insert({ ...own, price: 1.5 })
      .throwOnError();
    await ann.from('todos').update({ done: true }).eq('id', 2).throwOnError();
    const read = await ann
      .from('todos')
      .select('id,user_id,title,done,big,more,price')
      .eq('id', 2)
      .single()
      .throwOnError();
    await ann.from('todos').delete().eq('id', 2).throwOnError();
    await eventually(() => told.length === 3, 'three changes');
    assert.deepEqual(
      told.map(({ eventType, table, errors }) => [eventType, table, errors]),
      [
        ['INSERT', 'todos', null],
        ['UPDATE', 'todos', null],
        ['DELETE', 'todos', null],
      ],
    );
    assert.deepEqual(told[1]!.new, read.data);
    assert.equal((told[2]!.old as Todo)['id'], 2);
    await write('DELETE', '/todos?id=eq.1');
  });

  test('events, filters and a whole schema are told apart', async (t) => {
    const ann = client(t, 'ann');
    const told: string[] = [];
    const note = (name: string) => (payload: Payload) =>
      told.push(`${name} ${payload.eventType} ${payload.table}`);
    const table = { schema: 'public', table: 'todos' };
    await subscribed(
      ann
        .channel('many')
        .on('postgres_changes', { event: 'INSERT', ...table }, note('inserts'))
        .on('postgres_changes', { event: 'UPDATE', ...table, filter: 'done=is.true' }, note('done'))
        .on('postgres_changes', { event: '*', schema: 'public' }, note('all')),
    );
    await write('POST', '/todos', { id: 3, user_id: 'ann' });
    await write('PATCH', '/todos?id=eq.3', { title: 'x' });
    await write('PATCH', '/todos?id=eq.3', { done: true });
    await write('DELETE', '/todos?id=eq.3');
    await eventually(() => told.length === 6, 'six changes');
    assert.deepEqual(told.toSorted(), [
      'all DELETE todos',
      'all INSERT todos',
      'all UPDATE todos',
      'all UPDATE todos',
      'done UPDATE todos',
      'inserts INSERT todos',
    ]);
  });

  test('who loses the connection joins again, and is told to read what came meanwhile', async (t) => {
    const sockets: WebSocket[] = [];
    const ann = client(t, 'ann', {}, sockets);
    const told: Payload[] = [];
    const said: string[] = [];
    await subscribed(
      ann
        .channel('lost')
        .on('system', {}, (payload: { message: string }) => said.push(payload.message))
        .on('postgres_changes', { event: '*', schema: 'public', table: 'todos' }, (payload: Payload) =>
          told.push(payload),
        ),
    );
    await write('POST', '/todos', { id: 4, user_id: 'ann' });
    await eventually(() => told.length === 1, 'the first change');
    sockets[0]!.terminate();
    await eventually(() => said.length === 2, 'the second join');
    assert.match(said[1]!, /read what came before/);
    await write('DELETE', '/todos?id=eq.4');
    await eventually(() => told.at(-1)?.eventType === 'DELETE', 'the deletion');
    assert.equal(sockets.length, 2);
  });

  test('a subscription that is refused says why', async (t) => {
    const refused = (filter: { table: string; filter?: string }) =>
      subscribed(
        client(t, 'ann')
          .channel('no')
          .on('postgres_changes', { event: '*', schema: 'public', ...filter }, () => {}),
      ).then(
        () => 'subscribed',
        (error: Error) => error.message,
      );
    assert.match(await refused({ table: 'quiet' }), /are not told.*live: true/);
    assert.match(await refused({ table: 'todos', filter: 'secret=eq.x' }), /permission denied/);
    assert.match(await refused({ table: 'todos', filter: 'nothing=eq.x' }), /does not exist/);
    const nothing = subscribed(client(t, 'ann').channel('empty'));
    await assert.rejects(nothing, /broadcast and presence are not offered/);
  });

  test('a client that joins before it has its token joins again with it', async (t) => {
    const states: string[] = [];
    client(t, 'ann')
      .channel('early')
      .on('postgres_changes', { event: '*', schema: 'public', table: 'todos' }, () => {})
      .subscribe((status) => states.push(status));
    await eventually(() => states.at(-1) === 'SUBSCRIBED', 'the second join');
  });

  test('a token that expires ends the channel', async (t) => {
    const ann = client(t, 'ann', { exp: Math.floor(Date.now() / 1000) + 2 });
    const said: { status: string; message: string }[] = [];
    await subscribed(
      ann
        .channel('short')
        .on('system', {}, (payload: { status: string; message: string }) => said.push(payload))
        .on('postgres_changes', { event: '*', schema: 'public', table: 'todos' }, () => {}),
    );
    await eventually(() => said.at(-1)?.status === 'error', 'the end of the channel');
    assert.match(said.at(-1)!.message, /expired/);
  });

  test('messages that no client sends are answered or passed over, and too many close the socket', async (t) => {
    const open = async (query: string, headers: Record<string, string> = {}) => {
      const socket = new WebSocket(`${url.replace('http', 'ws')}/realtime/v1/websocket?${query}`, {
        headers,
      });
      t.after(() => socket.terminate());
      const frames: string[] = [];
      socket.on('message', (frame: Buffer) => frames.push(String(frame)));
      const status = await new Promise<number>((resolve) => {
        socket.on('open', () => resolve(101));
        socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
        socket.on('error', () => {});
      });
      return { socket, frames, status };
    };
    assert.equal((await open('apikey=pb_wrong&vsn=2.0.0')).status, 401);
    assert.equal((await open('vsn=2.0.0', { origin: 'https://elsewhere.example' })).status, 403);
    const { socket, frames } = await open(`apikey=${page}&vsn=2.0.0`);
    const odd = [
      '',
      'x',
      '[]',
      '{}',
      '[1,2,3]',
      '["1","1","t","phx_join",[]]',
      '["1","1","t","phx_join",{"config":5}]',
    ];
    for (const text of [...odd, '[null,"9","phoenix","heartbeat",{}]', '["1","2","t","broadcast",{}]'])
      socket.send(text);
    await eventually(() => frames.length === 4, 'the answers');
    assert.deepEqual(
      frames.map(
        (frame) => (JSON.parse(frame) as [unknown, unknown, unknown, unknown, { status: string }])[4].status,
      ),
      ['error', 'error', 'ok', 'error'],
    );
    const old = await open(`apikey=${page}&vsn=1.0.0`);
    old.socket.send(JSON.stringify({ topic: 'phoenix', event: 'heartbeat', payload: {}, ref: '1' }));
    await eventually(() => old.frames.length === 1, 'the answer');
    assert.deepEqual((JSON.parse(old.frames[0]!) as { ref: string; event: string }).event, 'phx_reply');
    const closed = new Promise<number>((resolve) => socket.on('close', resolve));
    const join = (at: number): string =>
      JSON.stringify([
        '1',
        '1',
        `realtime:${at}`,
        'phx_join',
        { config: { postgres_changes: [{ event: '*', schema: 'public', table: 'todos' }] } },
      ]);
    for (let at = 0; at < 2_000; at += 1) socket.send(join(at));
    assert.equal(await closed, 1008);
    const big = new Promise<number>((resolve) => old.socket.on('close', resolve));
    old.socket.send('x'.repeat(100_000));
    assert.equal(await big, 1009);
  });

  test('one caller keeps no other from connecting, with connections that subscribe to nothing', async (t) => {
    const connect = (key: string): Promise<number | 'open'> =>
      new Promise((resolve, reject) => {
        const socket = new WebSocket(
          `${url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${key}&vsn=2.0.0`,
        );
        t.after(() => socket.terminate());
        socket.on('error', reject);
        socket.on('close', resolve);
        socket.on('message', () => resolve('open'));
        socket.on('open', () => socket.send('[null,"1","phoenix","heartbeat",{}]'));
      });
    let last: number | 'open' = 'open';
    for (let opened = 0; opened <= 30 && last === 'open'; opened += 1) last = await connect(page);
    assert.equal(last, 1013);
    assert.equal(await connect(data.bypass), 'open');
  });
});
