/** Feeds as server-sent events: over real sockets, on both stores. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../../support/eventually.js';
import { eachStore } from '../../support/stores.js';
import { EventsServer } from './support/boot.js';

interface Told {
  readonly name: string;
  readonly id: string | undefined;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly data: any;
}

interface Stream extends AsyncDisposable {
  readonly status: number;
  readonly headers: Headers;
  readonly told: Told[];
  /** Ids of the events, in the order of their arrival. */
  ids(): string[];
  readonly ended: Promise<void>;
}

async function follow(url: string, headers: Record<string, string> = {}): Promise<Stream> {
  const leave = new AbortController();
  const answer = await fetch(url, {
    headers: { accept: 'text/event-stream', ...headers },
    signal: leave.signal,
    redirect: 'manual',
  });
  const told: Told[] = [];
  const read = async (): Promise<void> => {
    let text = '';
    for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      const parts = text.split('\n\n');
      text = parts.pop()!;
      for (const part of parts) {
        const fields = new Map(part.split('\n').map((line) => line.split(/: (.*)/s, 2) as [string, string]));
        if (!fields.has('data')) continue;
        const data = JSON.parse(fields.get('data')!) as unknown;
        told.push({ name: fields.get('event') ?? 'message', id: fields.get('id'), data });
      }
    }
  };
  return {
    status: answer.status,
    headers: answer.headers,
    told,
    ids: () => told.flatMap(({ name, data }) => (name === 'message' ? [(data as { id: string }).id] : [])),
    ended: read().catch(() => {}),
    [Symbol.asyncDispose]: () => Promise.resolve(leave.abort()),
  };
}

const push = (id: string, more: object = {}) => ({
  id,
  type: 'PushEvent',
  actor: { login: 'ann' },
  repo: { name: 'ann/tools' },
  payload: { ref: 'refs/heads/main' },
  public: true,
  ...more,
});

eachStore('feeds as they happen', (store) => {
  async function boot(config: object = {}): Promise<{ on: EventsServer; base: string }> {
    const on = await EventsServer.boot(config, { storage: await store.fresh() });
    await on.user('ann');
    await on.user('bob');
    await on.directory({
      put: {
        repositories: [
          { id: 9, name: 'ann/tools' },
          { id: 10, name: 'ann/secrets', private: true },
        ],
        follows: [{ user: 'bob', follows: 'ann' }],
      },
    });
    return { on, base: await on.server.listen() };
  }

  test('what is published comes into the feeds that hold it, as their pages show it', async () => {
    const { on, base } = await boot();
    await using _ = on;
    const paths = ['/events', '/repos/ann/tools/events', '/users/bob/received_events', '/users/bob/events'];
    const [all, tools, received, bobs] = await Promise.all(paths.map((path) => follow(base + path)));
    assert.equal(all!.status, 200);
    assert.deepEqual(
      ['content-type', 'cache-control', 'x-accel-buffering'].map((name) => all!.headers.get(name)),
      ['text/event-stream; charset=utf-8', 'no-store, no-transform', 'no'],
    );
    await eventually(
      () => [all, tools, received, bobs].every((stream) => stream!.told[0]?.name === 'ready'),
      'all are ready',
    );
    await on.publish(push('1'), push('2', { repo: { name: 'ann/secrets' }, public: false }));
    await on.publish(push('3', { actor: { login: 'bob' } }));
    await eventually(() => all!.ids().length === 2 && tools!.ids().length === 2, 'both are told');
    await eventually(
      () => received!.ids().length === 1 && bobs!.ids().length === 1,
      'and to those whose they are',
    );
    assert.deepEqual(
      [all!.ids(), tools!.ids(), received!.ids(), bobs!.ids()],
      [['1', '3'], ['1', '3'], ['1'], ['3']],
    );
    const page = (await (await fetch(`${base}/repos/ann/tools/events`)).json()) as object[];
    assert.deepEqual(
      tools!.told.slice(1).map(({ data }) => data as object),
      page.toReversed(),
    );
    assert.deepEqual(
      tools!.told.map(({ id }) => id),
      [undefined, '1', '3'],
    );
    for (const stream of [all, tools, received, bobs]) await stream![Symbol.asyncDispose]();
  });

  test('each caller is told what that caller sees, and no more once a repository is private', async () => {
    const { on, base } = await boot();
    await using _ = on;
    const { authorization } = await on.user('carl');
    await on.directory({ put: { collaborators: [{ repository: 'ann/secrets', user: 'carl' }] } });
    await using carls = await follow(`${base}/repos/ann/secrets/events`, { authorization });
    await using anybodys = await follow(`${base}/repos/ann/tools/events`);
    assert.equal((await follow(`${base}/repos/ann/secrets/events`)).status, 404);
    assert.equal((await follow(`${base}/users/ann/events/orgs/none`)).status, 401);
    await eventually(() => carls.told.length === 1 && anybodys.told.length === 1, 'both are ready');
    await on.publish(push('1', { repo: { name: 'ann/secrets' }, public: false }), push('2'));
    await eventually(() => carls.ids().length === 1 && anybodys.ids().length === 1, 'both are told');
    await on.directory({ put: { repositories: [{ id: 9, name: 'ann/tools', private: true }] } });
    await on.publish(push('3', { public: false }));
    await anybodys.ended;
    assert.deepEqual(anybodys.ids(), ['2']);
    assert.deepEqual(
      anybodys.told.slice(2).map(({ name, data }) => [name, (data as { code: string }).code]),
      [['error', 'not_found']],
    );
  });

  test('a client that was away gets what came meanwhile, or is told to read again', async () => {
    const { on, base } = await boot();
    await using _ = on;
    const url = `${base}/repos/ann/tools/events`;
    const at = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
    await on.publish(push('1', { created_at: at(9) }), push('2', { created_at: at(8) }));
    await on.publish(push('3', { created_at: at(7) }), push('4', { created_at: at(6) }));
    {
      await using again = await follow(url, { 'last-event-id': '2' });
      await eventually(() => again.ids().length === 2, 'both are told');
      assert.deepEqual(again.ids(), ['3', '4']);
      await on.publish(push('5'));
      await eventually(() => again.ids().length === 3, 'and what comes now');
    }
    await using late = await follow(url, { 'last-event-id': 'unknown' });
    await eventually(() => late.told.length === 2, 'it is told');
    assert.deepEqual(
      late.told.map(({ name }) => name),
      ['ready', 'reread'],
    );
    // One of the past that comes in now.
    await on.publish(push('6', { created_at: at(20) }));
    await eventually(() => late.ids().length === 1, 'it is told, too');
    assert.deepEqual(late.ids(), ['6']);
  });

  test('streams are bounded, leave no trace when their clients go, and end with the server', async () => {
    const { on, base } = await boot({ maxStreams: 2 });
    let last: Stream;
    {
      await using _ = on;
      const [one, other] = [await follow(`${base}/events`), await follow(`${base}/events`)];
      const third = await follow(`${base}/events`);
      assert.deepEqual([third.status, third.headers.get('retry-after')], [503, '10']);
      await one[Symbol.asyncDispose]();
      await other[Symbol.asyncDispose]();
      await eventually(async () => {
        last = await follow(`${base}/events`);
        return last.status === 200;
      }, 'there is room again');
      await eventually(() => last.told.length === 1, 'it is ready');
      const head = await fetch(`${base}/events`, {
        method: 'HEAD',
        headers: { accept: 'text/event-stream' },
      });
      assert.equal(head.headers.get('content-type'), 'application/json; charset=utf-8');
    }
    await last!.ended;
  });

  test('one caller takes its own share of the streams alone', async () => {
    const { on, base } = await boot({ maxStreams: 4, maxStreamsPerCaller: 2 });
    await using _ = on;
    const { authorization } = await on.user('carl');
    await using one = await follow(`${base}/events`);
    await using other = await follow(`${base}/events`);
    const third = await follow(`${base}/events`);
    assert.deepEqual([third.status, third.headers.get('retry-after')], [429, '10']);
    await using carls = await follow(`${base}/events`, { authorization });
    assert.deepEqual([one.status, other.status, carls.status], [200, 200, 200]);
  });

  test('more than a feed shows is no event by event', async () => {
    const { on, base } = await boot();
    await using _ = on;
    await on.publish(push('first'));
    await using stream = await follow(`${base}/events`);
    await eventually(() => stream.told.length === 1, 'it is ready');
    await on.publish(...Array.from({ length: 400 }, (__, n) => push(`n${n}`)));
    await eventually(() => stream.told.length === 2, 'it is told');
    assert.equal(stream.told[1]?.name, 'reread');
    await on.publish(push('next', { created_at: new Date(Date.now() + 1_000).toISOString() }));
    await eventually(() => stream.ids().length === 1, 'and goes on');
    assert.deepEqual(stream.ids(), ['next']);
  });

  test('a cursor leads past the tenth page, to the end', async () => {
    const { on, base } = await boot();
    await using _ = on;
    const start = Date.now() - 86_400_000;
    const made = Array.from({ length: 370 }, (__, n) =>
      push(`c${String(n).padStart(3, '0')}`, {
        created_at: new Date(start + Math.floor(n / 3) * 1_000).toISOString(),
      }),
    );
    await on.publish(...made);
    for (const path of ['/repos/ann/tools/events', '/users/bob/received_events', '/events']) {
      const ids: string[] = [];
      let url: string | undefined = `${base}${path}?cursor=`;
      while (url !== undefined) {
        const answer: Response = await fetch(url);
        assert.equal(answer.status, 200);
        ids.push(...((await answer.json()) as { id: string }[]).map(({ id }) => id));
        const etag = answer.headers.get('etag')!;
        assert.equal((await fetch(url, { headers: { 'if-none-match': etag } })).status, 304);
        url = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
      }
      assert.deepEqual(ids, made.map(({ id }) => id).toReversed());
    }
    assert.equal((await on.get('/events?page=11')).status, 422);
    assert.equal((await on.get('/events?cursor=x')).status, 422);
    assert.ok(!String((await on.get('/events?page=10')).headers['link']).includes('cursor'));
  });
});
