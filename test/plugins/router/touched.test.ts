/** The fault table again, by whom a fault touches: calls of other models, of other keys and of other callers are served. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { SeenRequest, TestUpstream } from '../../support/peers/upstream.js';
import { bootRouter, chat, type RouterServer } from './support/boot.js';
import { FAULTS, type Fault } from './support/faults.js';
import { limits, patiently } from './support/patiently.js';

/** What opens a circuit, and some more. */
const OFTEN = 6;
const POISON = 'what the upstream cannot stand';

/** With an upstream for each fault, and ordinary time limits. */
let shared: RouterServer;
before(async () => void (shared = await boot(FAULTS.length)));
after(() => shared[Symbol.asyncDispose]());

void describe('a fault touches no other model, key or caller', { concurrency: 6 }, () => {
  for (const [at, fault] of FAULTS.entries()) {
    void test(fault.name, async () => {
      if (fault.behaviour.kind !== 'hang') return touchesNobody(fault, shared, shared.upstreams[at]);
      return patiently(async (limit) => {
        await using router = await boot(1, limits(limit));
        await touchesNobody(fault, router, router.upstreams[0]);
      });
    });
  }
});

const begun = Date.now();

/** Upstreams with two keys. */
async function boot(upstreams: number, timeouts: object = {}): Promise<RouterServer> {
  const names = Array.from({ length: upstreams }, (_, at) => `u${at}`);
  return bootRouter(
    names,
    (started) => ({
      upstreams: started.map(({ name, url }) => ({ name, baseUrl: url, apiKeys: ['key-one', 'key-two'] })),
      // Two keys share the calls.
      breaker: { failures: 2 },
      timeouts,
    }),
    // A circuit that opened stays open.
    { clock: { now: () => begun } },
  );
}

async function touchesNobody(
  fault: Fault,
  router: RouterServer,
  upstream: TestUpstream = assert.fail(),
): Promise<void> {
  const { behaviour, only, of, final } = fault;
  const other = await router.server.key('chat');
  const stream = only === 'stream';
  const call = async (model: string, content = 'hello', key = router.key): Promise<boolean> => {
    const body = chat(`${upstream.name}/${model}`, { stream, messages: [{ role: 'user', content }] });
    const answer = await router.post('/v1/chat/completions', body, { key });
    const text = await answer.text();
    return answer.status === 200 && !text.includes('"error"');
  };
  const many = (ask: () => Promise<boolean>): Promise<boolean[]> =>
    Promise.all(Array.from({ length: OFTEN }, ask));
  const served = Array<boolean>(OFTEN).fill(true);
  const failed = Array<boolean>(OFTEN).fill(false);
  const hasKeyOne = ({ headers }: SeenRequest): boolean => headers.authorization === 'Bearer key-one';

  if (of === undefined) {
    upstream.when(({ text }) => text.includes(POISON), behaviour);
    assert.deepEqual(await many(() => call('shared', POISON)), failed);
    assert.deepEqual(await many(() => call('shared', 'hello', other)), served, 'another caller of the model');
  }
  if (of !== 'key') {
    upstream.when(({ body }) => body.model === 'bad', behaviour);
    assert.deepEqual(await many(() => call('bad')), failed);
    const { length } = upstream.requests;
    if (counts(fault)) assert.equal(await call('bad'), false);
    if (counts(fault)) assert.equal(upstream.requests.length, length, 'the model itself gets no calls');
    assert.deepEqual(await many(() => call('good')), served, 'another model');
    assert.deepEqual(
      await many(() => call('good', 'hello', other)),
      served,
      'another model of another caller',
    );
  }
  // What is wrong with a body, or a model that is not there, is so with every key.
  if (final === true || (behaviour.kind === 'status' && [302, 404].includes(behaviour.status))) return;
  upstream.when(hasKeyOne, behaviour);
  for (let time = 0; time < 2; time += 1) await many(() => call('keyed'));
  assert.deepEqual(await many(() => call('keyed')), served, 'the other key');
  if (of === 'key')
    assert.deepEqual(await many(() => call('other')), served, 'the other key for another model');
}

/** Whether it opens the circuit of a model: neither what is wrong with a body or a key, nor a model that is not there. */
function counts({ behaviour, of }: Fault): boolean {
  const status = behaviour.kind === 'status' ? behaviour.status : 0;
  return of === undefined && ![400, 403, 404, 422].includes(status);
}
