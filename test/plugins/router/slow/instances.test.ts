/** Four instances on one MongoDB: what calls cost is recorded once, and a budget is one for all of them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bootTest, type TestServer } from 'plugboard/testing';
import router from '../../../../plugins/router/index.js';
import { eventually } from '../../../support/eventually.js';
import { eachStore } from '../../../support/stores.js';
import { TestUpstream } from '../../../support/peers/upstream.js';
import { seeded } from '../support/seeded.js';
import { chat } from '../support/boot.js';

const INSTANCES = 4;
const CALLS = 1_000;
const AT_A_TIME = 40;
/** Of 7 tokens in and 2 out, as the stand-in reports them. */
const COST = 9e-6;

interface Sums {
  readonly calls: number;
  readonly cost: number;
  readonly tokensIn: number;
  readonly tokensOut: number;
  readonly estimatedOut: number;
}

class Deployment implements AsyncDisposable {
  readonly servers: readonly TestServer[];
  readonly urls: readonly string[];
  readonly key: string;
  readonly upstream: TestUpstream;

  private constructor(
    servers: readonly TestServer[],
    urls: readonly string[],
    key: string,
    upstream: TestUpstream,
  ) {
    this.servers = servers;
    this.urls = urls;
    this.key = key;
    this.upstream = upstream;
  }

  static async start(storage: object, config: object): Promise<Deployment> {
    const upstream = await TestUpstream.start('a');
    const settings = {
      upstreams: [{ name: 'a', baseUrl: upstream.url, apiKey: 'secret' }],
      prices: { 'a/*': { input: 1, output: 1 } },
      ...config,
    };
    const servers: TestServer[] = [];
    for (let made = 0; made < INSTANCES; made += 1)
      servers.push(
        await bootTest({
          storage: storage as { use: 'mongodb' },
          plugins: [{ plugin: router, config: settings }],
        }),
      );
    const urls = await Promise.all(servers.map((server) => server.listen()));
    return new Deployment(servers, urls, await servers[0]!.key(), upstream);
  }

  ask(instance: number, more: object = {}): Promise<Response> {
    return fetch(`${this.urls[instance % INSTANCES]}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(chat('a/m', { max_tokens: 2, ...more })),
    });
  }

  /** Once each instance has stored what it holds. */
  async usage(calls: number): Promise<Sums> {
    let total: Sums | undefined;
    await eventually(async () => {
      const url = `${this.urls[0]}/api/usage`;
      const answer = await fetch(url, { headers: { authorization: `Bearer ${this.key}` } });
      ({ total } = (await answer.json()) as { total: Sums });
      return total.calls >= calls;
    }, `${calls} usage records`);
    return total!;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.servers.map((server) => server.stop()));
    await this.upstream.stop();
  }
}

async function inTurns(calls: number, call: (at: number) => Promise<void>): Promise<void> {
  let next = 0;
  const caller = async (): Promise<void> => {
    while (next < calls) {
      next += 1;
      await call(next - 1);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, caller));
}

eachStore('four instances', (store) => {
  const { alone: skip } = store;
  test(
    '1,000 calls, whole, streamed and left at random, are recorded once each, at what they cost',
    { skip },
    async (t) => {
      await using deployment = await Deployment.start(await store.fresh(), {});
      deployment.upstream.when(({ body }) => body['seed'] === 1, { kind: 'paced', pieces: 500, every: 1 });
      const random = seeded(7);
      let reported = 0;
      let left = 0;
      let seen = 0;
      await inTurns(CALLS, async (at) => {
        const kind = random();
        if (kind < 0.8) {
          reported += 1;
          await (await deployment.ask(at, { stream: kind < 0.4 })).text();
          return;
        }
        left += 1;
        const answer = await deployment.ask(at, { stream: true, seed: 1 });
        const reader = answer.body!.getReader();
        const pieces = 1 + Math.floor(random() * 20);
        const decoder = new TextDecoder();
        let text = '';
        while (!text.includes(`"${pieces} "`)) {
          const { value, done } = await reader.read();
          assert.ok(!done, `a stream that ends early: ${answer.status} ${text}`);
          text += decoder.decode(value, { stream: true });
        }
        seen += pieces;
        await reader.cancel();
      });
      const total = await deployment.usage(CALLS);
      t.diagnostic(`${reported} reported, ${left} left`);
      assert.equal(total.calls, CALLS, 'nothing twice');
      assert.deepEqual(
        [total.tokensIn, total.tokensOut],
        [7 * reported, 2 * reported],
        "the stand-in's ledger",
      );
      assert.ok(total.estimatedOut >= seen, `${total.estimatedOut} estimated, ${seen} pieces seen`);
      assert.ok(total.cost > reported * COST);
    },
  );

  test('a budget is spent to its end by all of them together, and not beyond it', { skip }, async () => {
    const most = 300;
    await using deployment = await Deployment.start(await store.fresh(), {
      allowances: { team: { budget: { usd: most * COST } } },
      reserve: { input: 7, output: 2 },
    });
    let served = 0;
    await inTurns(CALLS, async (at) => {
      const answer = await deployment.ask(at);
      await answer.text();
      if (answer.status === 200) served += 1;
      else assert.equal(answer.status, 429);
    });
    assert.ok(served <= most && served >= most * 0.8, `${served}`);
    // What one of them holds and does not need, the others get.
    await eventually(async () => {
      const answer = await deployment.ask(served);
      await answer.text();
      if (answer.status === 200) served += 1;
      return served === most;
    }, 'the rest of the budget to be spent');
    for (let at = 0; at < INSTANCES; at += 1) assert.equal((await deployment.ask(at)).status, 429);
    assert.ok((await deployment.usage(most)).cost <= most * COST + 1e-12);
  });
});
