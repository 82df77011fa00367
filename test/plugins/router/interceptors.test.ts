/** What other plugins make of a chat before it is sent. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MODELS, type ChatInterceptor, type ChatRequest } from 'plugboard/sdk';
import { eventually } from '../../support/eventually.js';
import { bootRouter, chat, type RouterServer } from './support/boot.js';

/** Answers when it is told to end. */
const untilToldToEnd: ChatInterceptor = (request, { signal }) =>
  new Promise((resolve) => signal?.addEventListener('abort', () => resolve({ ...request, told: true })));

const never: ChatInterceptor = () => new Promise(() => {});

test('a chat waits for its interceptors as long as the config says; one that heeds its signal is heard', async () => {
  await using router = await bootRouter(['a'], { timeouts: { interceptors: 20 } });
  intercept(router, untilToldToEnd);
  assert.equal((await router.post('/v1/chat/completions', chat('a/m'))).status, 200);
  assert.equal(router.upstreams[0]?.requests[0]?.body['told'], true);
});

test('one that never answers fails the chat in its own name, and nothing is sent or billed', async () => {
  await using router = await bootRouter(['a'], { timeouts: { interceptors: 20 } });
  const remove = intercept(router, never);
  for (const stream of [false, true]) {
    const answer = await router.post('/v1/chat/completions', chat('a/m', { stream }));
    const { error } = (await answer.json()) as { error: { code: string; message: string } };
    assert.deepEqual([answer.status, error.code], [504, 'interceptor_timeout']);
    assert.match(error.message, /within 20 ms/);
  }
  remove();
  assert.equal(router.upstreams[0]?.requests.length, 0);
  assert.equal((await router.usage(0)).total.calls, 0);
});

test('a client that leaves while interceptors work ends them, and the upstream is never asked', async () => {
  await using router = await bootRouter();
  let isAsked = false;
  let request: ChatRequest | undefined;
  intercept(router, async (seen, call) => {
    isAsked = true;
    request = await untilToldToEnd(seen, call);
    return request;
  });
  const leaving = new AbortController();
  const answer = router.post('/v1/chat/completions', chat('a/m'), { signal: leaving.signal });
  const gone = assert.rejects(answer, { name: 'AbortError' });
  await eventually(() => isAsked, 'the interceptor is asked');
  leaving.abort();
  await gone;
  await eventually(() => request !== undefined, 'the interceptor is told to end');
  const { total } = await router.usage(1);
  assert.deepEqual([total.calls, total.errors], [1, 1]);
  assert.equal(router.upstreams[0]?.requests.length, 0);
});

test('each sees what the one before it made of the request', async () => {
  await using router = await bootRouter();
  intercept(router, async (request) => ({ ...request, seen: ['first'] }));
  intercept(router, async (request) => ({ ...request, seen: [...(request['seen'] as string[]), 'second'] }));
  await router.post('/v1/chat/completions', chat('a/m'));
  assert.deepEqual(router.upstreams[0]?.requests[0]?.body['seen'], ['first', 'second']);
});

function intercept(router: RouterServer, interceptor: ChatInterceptor): () => void {
  return router.server.service(MODELS).interceptChat(interceptor);
}
