/** The fault table: each fault of an upstream under each strategy, and what the client sees. */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { Behaviour, TestUpstream } from '../../support/peers/upstream.js';
import { eventually } from '../../support/eventually.js';
import { bootRouter, chat, type RouterServer } from './support/boot.js';
import { FAULTS } from './support/faults.js';
import { limits, patiently, SHORT } from './support/patiently.js';

const STRATEGIES = ['priority', 'weighted', 'round-robin', 'least-used', 'p2c'] as const;
type Strategy = (typeof STRATEGIES)[number];

const MODES = ['json', 'stream'] as const;
type Mode = (typeof MODES)[number];

/** A server for each time limit; the ordinary ones where nothing hangs. */
const booted = new Map<number | undefined, Promise<FaultyRouter>>();
after(async () => {
  for (const { router } of await Promise.all(booted.values())) await router[Symbol.asyncDispose]();
});

function routerWith(limit?: number): Promise<FaultyRouter> {
  const router = booted.get(limit) ?? boot(limit === undefined ? {} : limits(limit));
  booted.set(limit, router);
  return router;
}

for (const fault of FAULTS) {
  const { name, behaviour, everywhere, final, mayRepeat } = fault;
  const modes = MODES.filter((mode) => fault.only === undefined || fault.only === mode);

  if (final !== true) {
    forEachStrategy(
      `${name} at one target of two: each answer is whole and the other's`,
      behaviour,
      async ({ router, a, b, bill }, strategy) => {
        a.always(behaviour);
        b.always({ kind: 'ok' });
        // Twice in each mode: round-robin begins as often with the one as with the other.
        const calls = await askAll(router, [...modes, ...modes], strategy);
        for (const { asked, status, upstream, words } of calls) {
          assert.deepEqual([status, upstream], [200, b.name], asked);
          assert.deepEqual(words, [b.name, b.name], `${asked}: no answer mixes two upstreams`);
        }
        const { length } = calls;
        assert.equal(b.requests.length, length);
        if (strategy === 'priority') assertCount(a.requests.length, length, mayRepeat);
        if (strategy === 'round-robin') assertCount(a.requests.length, length / 2, mayRepeat);
        assert.deepEqual(await bill(length), { errors: 0, tokensIn: 7 * length, tokensOut: 2 * length });
      },
    );
  }

  const everywhereToo = `${name} everywhere: its error, and the list of what was tried`;
  forEachStrategy(everywhereToo, behaviour, async ({ router, a, b, bill }, strategy) => {
    for (const upstream of [a, b]) upstream.always(behaviour);
    const calls = await askAll(router, modes, strategy);
    for (const { asked, status, error } of calls) {
      assert.deepEqual([status, error?.code], everywhere, asked);
      const tried = error?.tried?.map(({ upstream }) => upstream).toSorted();
      assert.deepEqual(tried, final === true ? undefined : [a.name, b.name], asked);
    }
    const { length } = calls;
    assertCount(a.requests.length + b.requests.length, final === true ? length : 2 * length, mayRepeat);
    assert.deepEqual(await bill(length), { errors: length, tokensIn: 0, tokensOut: 0 });
  });
}

for (const [name, behaviour, code] of [
  ['hangs', { kind: 'hang', where: 'mid stream' }, 'upstream_timeout'],
  ['breaks off', { kind: 'break', where: 'mid stream' }, 'upstream_failed'],
  ['ends without having finished', { kind: 'truncate' }, 'upstream_failed'],
] as const satisfies readonly (readonly [string, Behaviour, string])[]) {
  forEachStrategy(
    `a stream that ${name} after its first event ends with that error and nothing of another upstream`,
    behaviour,
    async ({ router, a, b, bill }, strategy) => {
      for (const upstream of [a, b]) upstream.always(behaviour);
      const [call] = await askAll(router, ['stream'], strategy);
      assert.deepEqual([call?.status, call?.error?.code], [200, code]);
      assert.deepEqual(call?.words, [call?.upstream, call?.upstream]);
      assert.equal(call?.done, false, 'a broken stream is not marked as done');
      assert.equal(a.requests.length + b.requests.length, 1);
      assert.deepEqual(await bill(1), { errors: 1, tokensIn: 0, tokensOut: 0 });
    },
  );
}

test('a refused connection goes to the next target', async () => {
  await using router = await bootRouter(['a', 'b'], { routes: { r: { targets: ['a/m', 'b/m'] } } });
  await router.upstreams[0]?.stop();
  assert.equal((await ask(router, 'json', 'r')).upstream, 'b');
});

test("an upstream's words on a refused body reach the client, our key does not", async () => {
  await using router = await bootRouter();
  const error = { message: 'too long; your key secret-of-a', code: 'secret-of-a', param: 'x secret-of-a' };
  router.upstreams[0]?.always({ kind: 'status', status: 400, body: { error } });
  const answer = await ask(router, 'json', 'a/m');
  assert.match(answer.error?.message ?? '', /too long; your key \*\*\*/);
  assert.deepEqual([answer.error?.upstream_code, answer.error?.param], ['***', 'x ***']);
});

test('an answer beyond the limit is not taken', async () => {
  await using router = await bootRouter(['a'], { maxAnswerBytes: 1_024 });
  router.upstreams[0]?.always({ kind: 'ok', content: 'x'.repeat(2_000) });
  for (const mode of MODES)
    assert.equal((await ask(router, mode, 'a/m')).error?.code, 'upstream_invalid_response');
});

test('the limit for the whole call ends it, whatever targets are left', async () => {
  await using router = await bootRouter(['a', 'b', 'c'], {
    routes: { all: { targets: ['a/m', 'b/m', 'c/m'] } },
    timeouts: { ...SHORT, headers: 200, total: 300 },
  });
  for (const upstream of router.upstreams) upstream.always({ kind: 'hang', where: 'before headers' });
  const answer = await ask(router, 'json', 'all');
  assert.equal(answer.error?.code, 'upstream_timeout');
  assert.equal(router.upstreams[2]?.requests.length, 0);
});

/** With `mayRepeat` some requests may have gone out twice. */
function assertCount(actual: number, expected: number, mayRepeat = false): void {
  if (mayRepeat) assert.ok(actual >= expected && actual <= 2 * expected, `${actual} of ${expected}`);
  else assert.equal(actual, expected);
}

interface FaultyRouter {
  readonly router: RouterServer;
  readonly upstreams: ReadonlyMap<Strategy, readonly [TestUpstream, TestUpstream]>;
}

/**
 * Each strategy is a route over two upstreams of its own, so that none sees what another does. Neither circuits
 * nor resting keys interfere: each fault meets the same two targets.
 */
async function boot(timeouts: object = {}): Promise<FaultyRouter> {
  const names = STRATEGIES.flatMap((strategy) => [`${strategy}-a`, `${strategy}-b`]);
  const router = await bootRouter(names, {
    routes: Object.fromEntries(
      STRATEGIES.map((strategy) => [strategy, { strategy, targets: [`${strategy}-a/m`, `${strategy}-b/m`] }]),
    ),
    breaker: { failures: 1_000_000 },
    cooldown: { base: 1, max: 1 },
    timeouts,
  });
  const named = (name: string): TestUpstream => {
    const upstream = router.upstreams.find((one) => one.name === name);
    assert.ok(upstream !== undefined);
    return upstream;
  };
  const pair = (strategy: Strategy) => [named(`${strategy}-a`), named(`${strategy}-b`)] as const;
  return { router, upstreams: new Map(STRATEGIES.map((strategy) => [strategy, pair(strategy)])) };
}

function forEachStrategy(
  name: string,
  behaviour: Behaviour,
  body: (faulty: Faulty, strategy: Strategy) => Promise<void>,
): void {
  void describe(name, { concurrency: true }, () => {
    for (const strategy of STRATEGIES) {
      const run = async (limit?: number): Promise<void> =>
        body(await faulty(await routerWith(limit), strategy), strategy);
      void test(strategy, () => (behaviour.kind === 'hang' ? patiently(run) : run()));
    }
  });
}

type Bill = Pick<Awaited<ReturnType<RouterServer['usage']>>['total'], 'errors' | 'tokensIn' | 'tokensOut'>;

interface Faulty {
  readonly router: RouterServer;
  readonly a: TestUpstream;
  readonly b: TestUpstream;
  readonly bill: (calls: number) => Promise<Bill>;
}

/** The two upstreams of a strategy, and what it is billed from here on, once there are `calls` more calls. */
async function faulty({ router, upstreams }: FaultyRouter, strategy: Strategy): Promise<Faulty> {
  const [a, b] = upstreams.get(strategy) ?? assert.fail();
  for (const upstream of [a, b]) upstream.forget();
  const read = async () => {
    const { data } = await router.usage(0);
    return data.find(({ name }) => name === strategy) ?? { calls: 0, errors: 0, tokensIn: 0, tokensOut: 0 };
  };
  const first = await read();
  const bill = async (calls: number): Promise<Bill> => {
    let now = first;
    // The record of a stream is made when its last piece is out, which the client may see a moment before.
    await eventually(
      async () => (now = await read()).calls >= first.calls + calls,
      `${calls} calls are billed`,
    );
    assert.equal(now.calls - first.calls, calls, 'each call is billed once');
    return {
      errors: now.errors - first.errors,
      tokensIn: now.tokensIn - first.tokensIn,
      tokensOut: now.tokensOut - first.tokensOut,
    };
  };
  return { router, a, b, bill };
}

/** All at once: what hangs is waited for together. */
function askAll(router: RouterServer, modes: readonly Mode[], model: string) {
  return Promise.all(modes.map(async (mode) => ({ asked: mode, ...(await ask(router, mode, model)) })));
}

interface Seen {
  readonly status: number;
  readonly upstream: string | null;
  readonly words: readonly string[];
  readonly done: boolean;
  readonly error: SeenError | undefined;
}

interface SeenError {
  readonly code: string;
  readonly message: string;
  readonly param?: string;
  readonly upstream_code?: string;
  readonly tried?: readonly { readonly upstream: string }[];
}

async function ask(router: RouterServer, mode: Mode, model: string): Promise<Seen> {
  const answer = await router.post(
    '/v1/chat/completions',
    chat(model, mode === 'stream' ? { stream: true } : {}),
  );
  const text = await answer.text();
  const seen = { status: answer.status, upstream: answer.headers.get('x-plugboard-upstream') };
  const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') === true;
  const events = isStream ? Array.from(text.matchAll(/^data: (.*)$/gm), ([, data]) => data ?? '') : [text];
  const pieces = events.filter((data) => data !== '[DONE]').map((data) => JSON.parse(data) as Piece);
  const content = pieces.flatMap(({ choices = [] }) =>
    choices.map(({ delta, message }) => (delta ?? message)?.content ?? ''),
  );
  return {
    ...seen,
    words: content.join('').split(' ').filter(Boolean),
    done: events.includes('[DONE]'),
    error: pieces.find(({ error }) => error !== undefined)?.error,
  };
}

interface Piece {
  readonly error?: SeenError;
  readonly choices?: readonly {
    readonly delta?: { content?: string };
    readonly message?: { content?: string };
  }[];
}
