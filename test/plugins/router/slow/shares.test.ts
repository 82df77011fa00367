/** The strategies with real upstreams on real sockets: which share of the calls each target gets. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StrategyName } from '../../../../plugins/router/schema.js';
import { bootRouter, chat, type RouterServer } from '../support/boot.js';

const NAMES = ['a', 'b', 'c'];
/** Milliseconds that an upstream takes. */
const TAKES = 20;

/** So many that chance alone moves no share by 2 %, but one time in ten thousand. */
const CALLS = 10_000;
/** Where nothing is drawn. */
const FEW_CALLS = 2_000;
const AT_A_TIME = 32;

const PROMISED: Readonly<Record<Exclude<StrategyName, 'priority'>, readonly number[]>> = {
  'round-robin': [1, 1, 1],
  'least-used': [1, 1, 1],
  p2c: [1, 1, 1],
  weighted: [3, 2, 1],
};
type Sharing = keyof typeof PROMISED;
const STRATEGIES = Object.keys(PROMISED) as Sharing[];

function boot(strategy: Sharing): Promise<RouterServer> {
  const targets = NAMES.map((name, at) => ({ model: `${name}/m`, weight: PROMISED[strategy][at] }));
  return bootRouter(NAMES, { routes: { all: { strategy, targets } } });
}

for (const strategy of STRATEGIES)
  test(`${strategy}: calls are shared as promised, within 2 %`, async (t) => {
    const calls = strategy === 'p2c' || strategy === 'weighted' ? CALLS : FEW_CALLS;
    await using router = await boot(strategy);
    for (const upstream of router.upstreams) upstream.always({ kind: 'slow', delay: TAKES });
    let left = calls;
    const caller = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        assert.equal(await call(router), 200);
      }
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, caller));
    const counts = router.upstreams.map(({ requests }) => requests.length);
    t.diagnostic(counts.join(', '));
    const sum = PROMISED[strategy].reduce((all, weight) => all + weight, 0);
    for (const [at, count] of counts.entries()) {
      const promised = (PROMISED[strategy][at] ?? 0) / sum;
      assert.ok(
        Math.abs(count / calls - promised) <= 0.02,
        `${NAMES[at]}: ${count / calls}, promised ${promised}`,
      );
    }
  });

/** Milliseconds between two calls of one strategy. */
const EVERY = 25;
const AWAY = 15_000;
const MINUTE = 60_000;
/** At least 200 calls: chance moves a third by 10 %, one time in a hundred. */
const WINDOW = 10_000;

test('a target that was away carries its share within a minute, and never more than twice it', async (t) => {
  await Promise.all(
    STRATEGIES.map(async (strategy) => {
      await using router = await boot(strategy);
      const [away] = router.upstreams;
      assert.ok(away);
      for (const upstream of router.upstreams) upstream.always({ kind: 'slow', delay: TAKES });
      const share =
        (PROMISED[strategy][0] ?? 0) / PROMISED[strategy].reduce((all, weight) => all + weight, 0);
      const window = async (length: number): Promise<number> => {
        for (const upstream of router.upstreams) upstream.forget();
        const calls: Promise<number>[] = [];
        for (const until = performance.now() + length; performance.now() < until; await sleep(EVERY))
          calls.push(call(router));
        for (const status of await Promise.all(calls)) assert.equal(status, 200);
        const all = router.upstreams.reduce((sum, { requests }) => sum + requests.length, 0);
        return away.requests.length / all;
      };

      away.always({ kind: 'status', status: 503 });
      const gone = await window(AWAY);
      away.always({ kind: 'slow', delay: TAKES });
      const shares: number[] = [];
      for (let at = 0; at < MINUTE + WINDOW; at += WINDOW) shares.push(await window(WINDOW));
      t.diagnostic(`${strategy}: ${[gone, ...shares].map((one) => one.toFixed(2)).join(', ')}`);
      assert.ok(gone < 0.1, `${strategy}: ${gone} of the calls while it is away`);
      for (const one of shares) assert.ok(one <= 2 * share, `${strategy}: ${one} in ten seconds`);
      const last = shares.at(-1) ?? NaN;
      assert.ok(Math.abs(last - share) < 0.1, `${strategy}: ${last} after a minute, promised ${share}`);
    }),
  );
});

/** By node's own client, which takes a third of `fetch`. */
const agent = new Agent({ keepAlive: true });
after(() => agent.destroy());
const BODY = JSON.stringify(chat('all'));

async function call({ url, key }: RouterServer): Promise<number> {
  const sent = request(`${url}/v1/chat/completions`, {
    agent,
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  });
  sent.end(BODY);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  await once(answer.resume(), 'end');
  return answer.statusCode ?? 0;
}
