/** The fault table: each fault of an upstream under each strategy, and what the client sees. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Behaviour } from '../../support/upstream.js';
import { bootRouter, chat, SHORT, until, type RouterServer, type Usage } from './support/boot.js';

const STRATEGIES = ['priority', 'weighted', 'round-robin', 'least-used', 'p2c'] as const;

interface Fault {
  readonly name: string;
  readonly behaviour: Behaviour;
  /** Where every target has the fault: what a JSON call and a stream are answered. */
  readonly everywhere: readonly [status: number, code: string];
  readonly only?: 'json' | 'stream';
  /** No other upstream is tried. */
  readonly final?: true;
}

const FAILED = [502, 'upstream_failed'] as const;
const INVALID = [502, 'upstream_invalid_response'] as const;
const TIMEOUT = [504, 'upstream_timeout'] as const;

/** The key may be used at once by another call, but not again by the one that it was refused for. */
const NO_REST = { 'retry-after': '0' };

const FAULTS: readonly Fault[] = [
  { name: '408', behaviour: { kind: 'status', status: 408 }, everywhere: FAILED },
  {
    name: '429',
    behaviour: { kind: 'status', status: 429, headers: NO_REST },
    everywhere: [429, 'rate_limit_exceeded'],
  },
  { name: '500', behaviour: { kind: 'status', status: 500 }, everywhere: FAILED },
  { name: '503', behaviour: { kind: 'status', status: 503 }, everywhere: FAILED },
  {
    name: '401',
    behaviour: { kind: 'status', status: 401, headers: NO_REST },
    everywhere: [502, 'upstream_auth_failed'],
  },
  { name: '404', behaviour: { kind: 'status', status: 404 }, everywhere: [404, 'model_not_found'] },
  { name: '302', behaviour: { kind: 'status', status: 302 }, everywhere: INVALID },
  {
    name: '400',
    behaviour: { kind: 'status', status: 400 },
    everywhere: [400, 'upstream_rejected'],
    final: true,
  },
  {
    name: '422',
    behaviour: { kind: 'status', status: 422 },
    everywhere: [422, 'upstream_rejected'],
    final: true,
  },
  {
    name: 'a hang before the headers',
    behaviour: { kind: 'hang', where: 'before headers' },
    everywhere: TIMEOUT,
  },
  {
    name: 'a hang in a JSON answer',
    behaviour: { kind: 'hang', where: 'mid stream' },
    everywhere: TIMEOUT,
    only: 'json',
  },
  {
    name: 'a hang before the first event',
    behaviour: { kind: 'hang', where: 'before first event' },
    everywhere: TIMEOUT,
    only: 'stream',
  },
  {
    name: 'a break before the headers',
    behaviour: { kind: 'break', where: 'before headers' },
    everywhere: FAILED,
  },
  {
    name: 'a break in a JSON answer',
    behaviour: { kind: 'break', where: 'mid stream' },
    everywhere: FAILED,
    only: 'json',
  },
  {
    name: 'a break before the first event',
    behaviour: { kind: 'break', where: 'before first event' },
    everywhere: FAILED,
    only: 'stream',
  },
  { name: 'an empty answer', behaviour: { kind: 'empty' }, everywhere: INVALID },
  { name: 'a page of HTML', behaviour: { kind: 'nonsense', text: '<html></html>' }, everywhere: INVALID },
  {
    name: 'an event that is no JSON',
    behaviour: { kind: 'nonsense', text: 'data: <html>\n\n' },
    everywhere: INVALID,
    only: 'stream',
  },
  { name: 'a list', behaviour: { kind: 'nonsense', text: '[1]' }, everywhere: INVALID, only: 'json' },
  {
    name: 'an answer without choices',
    behaviour: { kind: 'nonsense', text: '{"id":"x"}' },
    everywhere: INVALID,
    only: 'json',
  },
  {
    name: 'an error with status 200',
    behaviour: { kind: 'nonsense', text: '{"error":{"message":"x"}}' },
    everywhere: FAILED,
    only: 'json',
  },
  {
    name: 'an error as the first event',
    behaviour: { kind: 'nonsense', text: 'data: {"error":{"message":"x"}}\n\n' },
    everywhere: FAILED,
    only: 'stream',
  },
];

const MODES = ['json', 'stream'] as const;
type Mode = (typeof MODES)[number];

/** A server with ordinary limits, and one with short ones for what hangs; each strategy is a route of both. */
let patient: RouterServer;
let impatient: RouterServer;

before(async () => {
  [patient, impatient] = await Promise.all([boot(), boot(SHORT)]);
});
after(() => Promise.all([patient[Symbol.asyncDispose](), impatient[Symbol.asyncDispose]()]));

for (const fault of FAULTS) {
  const { name, behaviour, everywhere, final } = fault;
  const modes = MODES.filter((mode) => fault.only === undefined || fault.only === mode);

  if (final !== true) {
    test(`${name} at one target of two: under each strategy the client gets one whole answer of the other`, async () => {
      const router = serverFor(behaviour);
      const billed = await watchUsage(router);
      const [a, b] = router.upstreams;
      a?.always(behaviour);
      b?.always({ kind: 'ok' });
      const answers = await askAll(router, modes, 3);
      for (const { asked, status, upstream, words } of answers) {
        assert.deepEqual([status, upstream], [200, 'b'], asked);
        assert.deepEqual(words, ['b', 'b'], `${asked}: no answer mixes two upstreams`);
      }
      const calls = answers.length;
      assert.deepEqual(await billed(calls), { calls, errors: 0, tokensIn: 7 * calls, tokensOut: 2 * calls });
    });
  }

  test(`${name} everywhere: under each strategy the client gets its error and the list of what was tried`, async () => {
    const router = serverFor(behaviour);
    const billed = await watchUsage(router);
    const before = countRequests(router);
    for (const upstream of router.upstreams) upstream.always(behaviour);
    const answers = await askAll(router, modes, 1);
    for (const { asked, status, error } of answers) {
      assert.deepEqual([status, error?.code], everywhere, asked);
      const tried = error?.tried?.map(({ upstream }) => upstream).toSorted();
      assert.deepEqual(tried, final === true ? undefined : ['a', 'b'], asked);
    }
    const calls = answers.length;
    assert.equal(countRequests(router) - before, final === true ? calls : 2 * calls);
    assert.deepEqual(await billed(calls), { calls, errors: calls, tokensIn: 0, tokensOut: 0 });
  });
}

for (const [name, behaviour, code] of [
  ['hangs', { kind: 'hang', where: 'mid stream' }, 'upstream_timeout'],
  ['breaks off', { kind: 'break', where: 'mid stream' }, 'upstream_failed'],
  ['ends without having finished', { kind: 'truncate' }, 'upstream_failed'],
] as const satisfies readonly (readonly [string, Behaviour, string])[]) {
  test(`a stream that ${name} after its first event ends, under each strategy, with that error and nothing of another upstream`, async () => {
    const router = serverFor(behaviour);
    const billed = await watchUsage(router);
    for (const upstream of router.upstreams) upstream.always(behaviour);
    const answers = await askAll(router, ['stream'], 1);
    for (const { asked, status, upstream, words, error, done } of answers) {
      assert.deepEqual([status, error?.code], [200, code], asked);
      assert.deepEqual(words, [upstream, upstream], asked);
      assert.equal(done, false, `${asked}: a broken stream is not marked as done`);
    }
    const calls = answers.length;
    assert.deepEqual(await billed(calls), { calls, errors: calls, tokensIn: 0, tokensOut: 0 });
  });
}

test('a refused connection goes to the next target', async () => {
  await using router = await boot();
  await router.upstreams[0]?.stop();
  assert.equal((await ask(router, 'json', 'priority')).upstream, 'b');
});

test("an upstream's words on a refused body reach the client, our key does not", async () => {
  const router = patient;
  const error = {
    message: 'too long; your key secret-of-a',
    code: 'context_length_exceeded',
    param: 'messages',
  };
  router.upstreams[0]?.always({ kind: 'status', status: 400, body: { error } });
  const answer = await ask(router, 'json', 'priority');
  assert.match(answer.error?.message ?? '', /too long; your key \*\*\*/);
  assert.equal(answer.error?.upstream_code, 'context_length_exceeded');
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

/** Neither circuits nor resting keys stand in the way: each fault meets the same two targets. */
function boot(timeouts: object = {}): Promise<RouterServer> {
  return bootRouter(['a', 'b'], {
    routes: Object.fromEntries(
      STRATEGIES.map((strategy) => [strategy, { strategy, targets: ['a/m', 'b/m'] }]),
    ),
    breaker: { failures: 1_000_000 },
    cooldown: { base: 1, max: 1 },
    timeouts,
  });
}

function serverFor({ kind }: Behaviour): RouterServer {
  return kind === 'hang' ? impatient : patient;
}

type Billed = Pick<Usage['total'], 'calls' | 'errors' | 'tokensIn' | 'tokensOut'>;

/** Answers what the server bills from here on, once there are `calls` more. */
async function watchUsage(router: RouterServer): Promise<(calls: number) => Promise<Billed>> {
  const read = async (): Promise<Billed> => (await router.usage(0)).total;
  const first = await read();
  return async (calls) => {
    let now = await read();
    // The record of a stream is made when its last piece is out, which the client may see a moment before.
    await until(async () => {
      now = await read();
      return now.calls >= first.calls + calls;
    });
    return {
      calls: now.calls - first.calls,
      errors: now.errors - first.errors,
      tokensIn: now.tokensIn - first.tokensIn,
      tokensOut: now.tokensOut - first.tokensOut,
    };
  };
}

function countRequests({ upstreams }: RouterServer): number {
  return upstreams.reduce((sum, { requests }) => sum + requests.length, 0);
}

/** Asks with each strategy and in each mode at once, `times` over: what hangs is waited for together. */
function askAll(
  router: RouterServer,
  modes: readonly Mode[],
  times: number,
): Promise<(Seen & { readonly asked: string })[]> {
  const calls = STRATEGIES.flatMap((strategy) => modes.map((mode) => ({ strategy, mode })));
  return Promise.all(
    Array.from({ length: times }, () => calls)
      .flat()
      .map(async ({ strategy, mode }) => ({
        asked: `${strategy}, ${mode}`,
        ...(await ask(router, mode, strategy)),
      })),
  );
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
