import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiContext } from '../../../../plugins/dataquery/front/api/context.js';
import { KeptAnswers } from '../../../../plugins/dataquery/front/api/kept-answers.js';
import type { Answer, ApiRequest } from '../../../../plugins/dataquery/front/http/exchange.js';
import { parsePreferences } from '../../../../plugins/dataquery/front/http/preferences.js';

const contextOf = (state: object): ApiContext =>
  ({ state, call: () => Promise.resolve(1) }) as unknown as ApiContext;
const ofCatalog = contextOf({});

function asking(search: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): ApiRequest {
  const header = (name: string): string | undefined => headers[name];
  const preferences = parsePreferences(headers['prefer']);
  return { method, segments: ['films'], search, header, body: '', preferences };
}

describe('kept answers', () => {
  let store: { commits: number | undefined; lastCommit(): Promise<string | undefined> };
  let kept: KeptAnswers;
  let reads: number;
  beforeEach(() => {
    [store, reads] = [{ commits: 1, lastCommit: () => Promise.resolve(undefined) }, 0];
    kept = new KeptAnswers(store);
  });

  const answered = (body: string): Answer => ({ status: 200, headers: {}, body });
  /** How often the request is read when it comes twice. */
  async function readsOf(
    request: ApiRequest,
    read: (context: ApiContext) => Promise<Answer> = () => Promise.resolve(answered('[]')),
    context = ofCatalog,
  ): Promise<number> {
    reads = 0;
    const counting = (reading: ApiContext): Promise<Answer> => ((reads += 1), read(reading));
    for (const _ of [1, 2]) await kept.answer(context, request, counting);
    return reads;
  }

  test('between two commits a request is read once, behind a commit again', async () => {
    assert.equal(await readsOf(asking('id=eq.1')), 1);
    assert.equal(await readsOf(asking('id=eq.1')), 0);
    store.commits = 2;
    assert.equal(await readsOf(asking('id=eq.1')), 1);
  });

  test('another method, header, query or catalog is another request', async () => {
    assert.equal(await readsOf(asking('id=eq.1')), 1);
    const others = [
      asking('id=eq.2'),
      asking('id=eq.1', {}, 'HEAD'),
      asking('id=eq.1', { accept: 'text/csv' }),
      asking('id=eq.1', { 'accept-profile': 'b' }),
      asking('id=eq.1', { prefer: 'count=exact' }),
      asking('id=eq.1', { range: '0-1' }),
    ];
    for (const other of others) assert.equal(await readsOf(other), 1);
    assert.equal(await readsOf(asking('id=eq.1'), undefined, contextOf({})), 1);
  });

  test('what was read while something was committed is not kept', async () => {
    const read = (): Promise<Answer> => {
      store.commits = (store.commits ?? 0) + 1;
      return Promise.resolve(answered('[]'));
    };
    assert.equal(await readsOf(asking(''), read), 2);
  });

  test('nor what a module was asked for, a long answer, a plan, or of a store that counts no commits', async () => {
    const ofModule = async ({ call }: ApiContext): Promise<Answer> => {
      await call({} as Parameters<typeof call>[0], {});
      return answered('[]');
    };
    assert.equal(await readsOf(asking('a'), ofModule), 2);
    assert.equal(await readsOf(asking('b'), () => Promise.resolve(answered('1'.repeat(70_000)))), 2);
    assert.equal(await readsOf(asking('c', { accept: 'application/vnd.pgrst.plan+json' })), 2);
    store.commits = undefined;
    assert.equal(await readsOf(asking('d')), 2);
  });

  describe('of a store that is asked for its last commit', () => {
    let last: string | undefined;
    let questions: number;
    beforeEach(() => {
      [last, questions] = ['a', 0];
      store.commits = undefined;
      store.lastCommit = () => ((questions += 1), Promise.resolve(last));
    });

    /** Until an answer is kept and used: the store has said the same twice. */
    async function rest(): Promise<void> {
      while ((await readsOf(asking('rest'))) > 0) await sleep(5);
    }

    test('a request is read again when the store names another commit, or none', async () => {
      await rest();
      assert.equal(await readsOf(asking('')), 1);
      assert.equal(await readsOf(asking('')), 0);
      last = 'b';
      assert.notEqual(await readsOf(asking('')), 0);
      await rest();
      assert.equal(await readsOf(asking('')), 0);
      last = undefined;
      assert.equal(await readsOf(asking('')), 2);
    });

    test('what was not read yet is read without a question before it', async () => {
      await rest();
      const before = questions;
      for (let n = 0; n < 10; n += 1) {
        await kept.answer(ofCatalog, asking(`n=${n}`), () => Promise.resolve(answered('[]')));
      }
      assert.equal(questions, before);
    });

    test('while one commit follows another the store is asked beside the reads, now and then', async () => {
      let commits = 0;
      store.lastCommit = () => ((questions += 1), Promise.resolve(String((commits += 1))));
      const from = performance.now();
      const read = (): Promise<Answer> => Promise.resolve(answered('[]'));
      for (let n = 0; n < 50; n += 1) assert.equal(await readsOf(asking(''), read), 2);
      assert.ok(questions <= 1 + (performance.now() - from) / 20, `${questions} questions`);
    });

    test('a store that fails the question is read', async () => {
      await rest();
      assert.equal(await readsOf(asking('')), 1);
      store.lastCommit = () => Promise.reject(new Error('gone'));
      assert.equal(await readsOf(asking('')), 2);
    });
  });
});
