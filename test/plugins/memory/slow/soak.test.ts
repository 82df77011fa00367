/**
 * Writes, previews, reindexing and summaries at once. `PLUGBOARD_SOAK_SECONDS` (default 60) says for how long,
 * `PLUGBOARD_SOAK_ENTRIES` (default 2,000) among how many entries. The figures are told as diagnostics.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, fetch } from 'undici';
import memory from '../../../../plugins/memory/index.js';
import { bootTest } from 'plugboard/testing';

const SECONDS = Number(process.env['PLUGBOARD_SOAK_SECONDS'] ?? 60);
const ENTRIES = Number(process.env['PLUGBOARD_SOAK_ENTRIES'] ?? 2000);
const OWNERS = 5;
const WRITERS = 4;
const DAY = 86_400_000;
/** To summarize a hundred thousand entries takes longer than a client waits by itself. */
const dispatcher = new Agent({ headersTimeout: 0 });
const TOPICS = ['harbour', 'violin', 'mortgage', 'asthma', 'orchard', 'ferry', 'copper', 'winter'];

test(
  'under writes, previews, reindexing and summaries at once nothing that was acknowledged is lost and nothing fails',
  { timeout: (SECONDS + 2400) * 1000 },
  async (t) => {
    let shift = 0;
    const server = await bootTest({
      plugins: [{ plugin: memory }],
      clock: { now: () => Date.now() + shift },
    });
    try {
      const url = await server.listen();
      const authorization = `Bearer ${await server.key('manage')}`;
      const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
        const answer = await fetch(`${url}${path}`, {
          method,
          dispatcher,
          headers: { authorization, 'content-type': 'application/json' },
          ...(body && { body: JSON.stringify(body) }),
        });
        const text = await answer.text();
        assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${text}`);
        return JSON.parse(text) as T;
      };

      /** The last acknowledged content of each key of an owner. */
      const acknowledged = new Map<string, string>();
      let facts = 0;
      let writes = 0;
      const put = async (owner: number, key: string, content: string): Promise<void> => {
        await call('POST', '/api/memory', { apiKeyId: `owner${owner}`, key, content });
        acknowledged.set(`${owner} ${key}`, content);
        writes += 1;
      };
      const newFact = (): { number: number; content: string } => {
        const number = (facts += 1);
        const words = [1, 3, 5].map((step) => TOPICS[(number * step) % TOPICS.length]);
        return { number, content: `Fact ${number}: the ${words.join(' and the ')} came up` };
      };
      const add = async (): Promise<void> => {
        const { number, content } = newFact();
        await put(number % OWNERS, `k${number}`, content);
        // Every tenth is said twice: the summaries fold these.
        if (number % 10 === 0) await put(number % OWNERS, `twin${number}`, content);
      };
      await Promise.all(
        Array.from({ length: 16 }, async () => {
          while (facts < ENTRIES) await add();
        }),
      );

      const until = Date.now() + SECONDS * 1000;
      const running = (): boolean => Date.now() < until;
      const waits: number[] = [];
      const rounds = { previews: 0, reindexed: 0, folded: 0 };
      const resident: number[] = [];
      const writer = async (which: number): Promise<void> => {
        for (let at = 0; running(); at += 1) {
          if (acknowledged.size < ENTRIES * 1.2) await add();
          // Each writer changes keys of its own, also those merged with their twins by now: these come back.
          const known = (at % Math.floor(ENTRIES / WRITERS)) * WRITERS + which;
          await put(known % OWNERS, `k${known}`, newFact().content);
          await sleep(20);
        }
      };
      const reader = async (): Promise<void> => {
        for (; running(); rounds.previews += 1) {
          await call('POST', '/api/memory/retrieve-preview', {
            query: `when did the ${TOPICS[rounds.previews % TOPICS.length]} come up, fact ${rounds.previews}`,
            apiKeyId: `owner${rounds.previews % OWNERS}`,
          });
          await sleep(20);
        }
      };
      const reindexer = async (): Promise<void> => {
        for (; running(); rounds.reindexed += 1) {
          await call('POST', '/api/memory/reindex', { force: true });
          await sleep(5000);
        }
      };
      const summarizer = async (): Promise<void> => {
        while (running()) {
          await sleep(3000);
          shift += 2 * DAY;
          const body = { olderThanDays: 1 };
          rounds.folded += (
            await call<{ candidates: number }>('POST', '/api/memory/summarize', body)
          ).candidates;
          resident.push(Math.round(process.memoryUsage().rss / 2 ** 20));
        }
      };
      const probe = async (): Promise<void> => {
        while (running()) {
          const asked = performance.now();
          await call('GET', '/-/live');
          waits.push(performance.now() - asked);
          await sleep(10);
        }
      };
      const writers = Array.from({ length: WRITERS }, (_, which) => writer(which));
      await Promise.all([...writers, reader(), reader(), reindexer(), summarizer(), probe()]);

      const contents = new Set<string>();
      for (let cursor: string | null = ''; cursor !== null;) {
        const page: { data: { content: string }[]; nextCursor: string | null } = await call(
          'GET',
          `/api/memory?limit=200${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
        );
        for (const { content } of page.data) contents.add(content);
        cursor = page.nextCursor;
      }
      const lost = [...acknowledged.values()].filter((content) => !contents.has(content));
      assert.deepEqual(lost, []);
      assert.ok(rounds.folded > 0 && rounds.previews > 0 && rounds.reindexed > 0);

      waits.sort((a, b) => a - b);
      const wait = (share: number): string => (waits[Math.ceil(waits.length * share) - 1] ?? NaN).toFixed(0);
      t.diagnostic(`${SECONDS} s, ${acknowledged.size} keys, ${writes} writes, ${JSON.stringify(rounds)}`);
      t.diagnostic(`/-/live: p50 ${wait(0.5)} ms, p99 ${wait(0.99)} ms, longest ${wait(1)} ms`);
      t.diagnostic(`resident, client included: ${resident[0]} MiB at first, ${resident.at(-1)} MiB at last`);
    } finally {
      await server.stop();
    }
  },
);
