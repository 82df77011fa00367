/** Entries that take the place of others: validity, history, the past as it was, and undoing it. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { eachStore } from '../../../support/stores.js';
import { memoryServer, testClock, type Answer, type MemoryServer } from '../support/memory-server.js';

const DAY = 86_400_000;

eachStore('supersession', (store) => {
  const clock = testClock();
  let memory: MemoryServer;
  let owners = 0;

  before(async () => {
    memory = await memoryServer({ storage: await store.fresh(), clock });
  });
  after(() => memory[Symbol.asyncDispose]());

  const now = (): string => new Date(clock.now()).toISOString();

  async function owner() {
    const apiKeyId = `owner-${(owners += 1)}`;
    const post = async (key: string, content: string, fields: object = {}): Promise<Answer> => {
      const { status, body } = await memory.call('POST', '/api/memory', {
        apiKeyId,
        key,
        content,
        ...fields,
      });
      assert.equal(status, 201, JSON.stringify(body));
      return body;
    };
    const listed = async (asOf?: string): Promise<string[]> => {
      const place = asOf === undefined ? '' : `&asOf=${asOf}`;
      const { body } = await memory.call('GET', `/api/memory?apiKeyId=${apiKeyId}${place}`);
      assert.equal(body.total, body.data.length);
      return body.data.map(({ key }: Answer) => key).sort();
    };
    const found = async (asOf?: string, strategy = 'hybrid'): Promise<string[]> => {
      const asked = { query: 'Where do I live?', apiKeyId, strategy, ...(asOf && { asOf }) };
      const { body } = await memory.call('POST', '/api/memory/retrieve-preview', asked);
      return body.memories.map(({ key }: Answer) => key);
    };
    const history = async (id: string): Promise<string[]> =>
      (await memory.call('GET', `/api/memory/${id}/history`)).body.data.map(({ key }: Answer) => key);
    return { apiKeyId, post, listed, found, history };
  }

  /** London, then Paris, then Rome, a day between them. */
  async function moves() {
    const ann = await owner();
    const london = await ann.post('london', 'I live in London');
    const inLondon = now();
    clock.advance(DAY);
    const paris = await ann.post('paris', 'I live in Paris', { supersedes: london.id });
    const inParis = now();
    clock.advance(DAY);
    const rome = await ann.post('rome', 'I live in Rome', { supersedes: paris.id });
    return { ...ann, london, paris, rome, inLondon, inParis };
  }

  test('what is superseded is out of lists and retrieval, and there as of then', async () => {
    const { listed, found, inLondon, inParis } = await moves();
    assert.deepEqual(await listed(), ['rome']);
    assert.deepEqual(await listed(inParis), ['paris']);
    assert.deepEqual(await listed(inLondon), ['london']);
    for (const strategy of ['exact', 'semantic', 'hybrid']) {
      assert.deepEqual(await found(undefined, strategy), ['rome'], strategy);
      assert.deepEqual(await found(inParis, strategy), ['paris'], strategy);
      assert.deepEqual(await found(inLondon, strategy), ['london'], strategy);
    }
  });

  test('the history is told from any of its entries, the newest first, with when each held', async () => {
    const { history, london, paris, rome } = await moves();
    for (const { id } of [london, paris, rome])
      assert.deepEqual(await history(id), ['rome', 'paris', 'london']);
    const { body } = await memory.call('GET', `/api/memory/${paris.id}`);
    assert.deepEqual(
      [body.validUntil, body.supersedes, body.supersededBy],
      [rome.validFrom, london.id, rome.id],
    );
  });

  test('undoing brings back what was superseded, and deleting leaves no gap and no dangling successor', async () => {
    const { listed, history, london, paris, rome } = await moves();
    const { body } = await memory.call('POST', `/api/memory/${rome.id}/restore`);
    assert.deepEqual(body, { restored: 1, kept: 0 });
    assert.deepEqual(await listed(), ['paris', 'rome']);
    assert.deepEqual(await history(rome.id), ['rome']);
    await memory.call('DELETE', `/api/memory/${paris.id}`);
    assert.deepEqual(await listed(), ['london', 'rome']);

    const other = await moves();
    await memory.call('DELETE', `/api/memory/${other.paris.id}`);
    assert.deepEqual(await other.history(other.rome.id), ['rome', 'london']);
    assert.deepEqual(await other.listed(), ['rome']);
    assert.deepEqual(await other.listed(other.inParis), ['london']);
    assert.equal((await memory.call('GET', `/api/memory/${london.id}`)).body.supersededBy, null);
  });

  test('what holds from or until a given instant is there between them alone', async () => {
    const { post, listed, found } = await owner();
    const [before, from, until] = [clock.now(), clock.now() + DAY, clock.now() + 2 * DAY].map((at) =>
      new Date(at).toISOString(),
    );
    await post('pass', 'I live in a tent with a pass', { validFrom: from, validUntil: until });
    assert.deepEqual([await listed(), await found()], [[], []]);
    assert.deepEqual([await listed(from), await found(from)], [['pass'], ['pass']]);
    assert.deepEqual([await listed(until), await found(before)], [[], []]);
    clock.advance(DAY);
    assert.deepEqual([await listed(), await found()], [['pass'], ['pass']]);
    clock.advance(DAY);
    assert.deepEqual([await listed(), await found()], [[], []]);
  });

  test('an entry of another owner or end user, one that is superseded already, and a key in use are refused', async () => {
    const { post, listed, apiKeyId, london, rome } = await moves();
    const ask = async (fields: object): Promise<[number, string, string]> => {
      const body = { key: 'new', content: 'I live in Oslo', apiKeyId, ...fields };
      const answer = await memory.call('POST', '/api/memory', body);
      const { code, param } = answer.body.error;
      return [answer.status, code, param];
    };
    const unknown = [404, 'memory_not_found', 'supersedes'];
    assert.deepEqual(await ask({ supersedes: rome.id, apiKeyId: 'other' }), unknown);
    assert.deepEqual(await ask({ supersedes: rome.id, userId: 'bo' }), unknown);
    assert.deepEqual(await ask({ supersedes: london.id }), [409, 'already_superseded', 'supersedes']);
    assert.deepEqual(await ask({ supersedes: rome.id, key: 'rome' }), [409, 'duplicate_memory_key', 'key']);
    const early = { supersedes: rome.id, validFrom: '2001-01-01T00:00:00Z' };
    assert.deepEqual(await ask(early), [400, 'ends_before_it_begins', 'validFrom']);
    const backwards = { validFrom: '2031-01-02T00:00:00Z', validUntil: '2031-01-01T00:00:00Z' };
    assert.deepEqual(await ask(backwards), [400, 'ends_before_it_begins', 'validUntil']);
    assert.deepEqual(await listed(), ['rome']);
    await post('oslo', 'I live in Oslo', { supersedes: rome.id, validFrom: now() });
  });

  test('a write under the key of an ended entry is one that holds now, and the history stays as it was', async () => {
    const { apiKeyId, post, listed, found, history, london, rome, inLondon } = await moves();
    const again = await post('london', 'I live in London again');
    assert.notEqual(again.id, london.id);
    assert.equal(again.supersededBy, null);
    assert.deepEqual(await listed(), ['london', 'rome']);
    assert.equal((await found()).includes('london'), true);
    const ended = (await memory.call('GET', `/api/memory/${london.id}`)).body;
    assert.equal(ended.key, `london@${london.id}`);
    assert.deepEqual([ended.content, ended.validFrom], [london.content, london.validFrom]);
    assert.deepEqual(await history(rome.id), ['rome', 'paris', ended.key]);
    assert.deepEqual(await listed(inLondon), [ended.key]);
    // Written once more, it is replaced as any other entry.
    const { status, body } = await memory.call('POST', '/api/memory', {
      apiKeyId,
      key: 'london',
      content: 'I live in London, in Soho',
    });
    assert.deepEqual([status, body.id], [200, again.id]);
  });

  test('the key of an ended entry is free for a rename, for a successor, and as long as keys may be', async () => {
    const { post, listed, rome } = await moves();
    const { status } = await memory.call('PUT', `/api/memory/${rome.id}`, { key: 'london' });
    assert.equal(status, 200);
    await post('paris', 'I live in Paris again', { supersedes: rome.id });
    assert.deepEqual(await listed(), ['paris']);

    const bo = await owner();
    const key = 'k'.repeat(1_000);
    const first = await bo.post(key, 'I live in Bonn');
    await bo.post('next', 'I live in Berne', { supersedes: first.id });
    await bo.post(key, 'I live in Bonn again');
    assert.deepEqual(await bo.listed(), [key, 'next']);
    assert.equal((await memory.call('GET', `/api/memory/${first.id}`)).body.key.length, 1_000);
  });

  test('of an ended entry only the metadata changes', async () => {
    const { listed, london, inLondon } = await moves();
    for (const change of [
      { content: 'I live in Leeds' },
      { key: 'leeds' },
      { type: 'semantic' },
      { validUntil: null },
    ]) {
      const { status, body } = await memory.call('PUT', `/api/memory/${london.id}`, change);
      assert.deepEqual([status, body.error.code], [409, 'already_superseded'], JSON.stringify(change));
    }
    const seen = await memory.call('PUT', `/api/memory/${london.id}`, { metadata: { seen: true } });
    assert.deepEqual([seen.status, seen.body.content], [200, 'I live in London']);
    assert.deepEqual(await listed(inLondon), ['london']);
  });
});
