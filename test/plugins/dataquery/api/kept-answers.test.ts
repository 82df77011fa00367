import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
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
  let store: { commits: number | undefined };
  let kept: KeptAnswers;
  let reads: number;
  beforeEach(() => {
    [store, reads] = [{ commits: 1 }, 0];
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

  test('between two commits a request is read once, after a commit again', async () => {
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
});
