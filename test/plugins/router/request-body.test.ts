/** What a client wrote, on its way to the upstream. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { MODELS } from 'plugboard/sdk';
import { RequestBody } from '../../../plugins/router/call/request-body.js';
import { bootRouter, type RouterServer } from './support/boot.js';

/** 2^53 + 1, which no JavaScript number holds. */
const DIGITS = '9007199254740993';
const OWN = `"seed":${DIGITS}, "metadata": {"trace": ${DIGITS}00, "price": 1.10},
  "tools":[{"type":"function","function":{"name":"f","parameters":{"maximum":${DIGITS}}}}]`;

for (const mode of ['', ',"stream":true', ',"stream":false']) {
  test(`a chat keeps every digit of what only the upstream reads (${mode || 'no stream'})`, async () => {
    await using router = await bootRouter(['a', 'b'], { routes: { r: { targets: ['a/m', 'b/m'] } } });
    router.upstreams[0]?.always({ kind: 'status', status: 500 });
    await postText(router, '/v1/chat/completions', `{"model":"r"${mode},"messages":${MESSAGES},${OWN}}`);
    for (const { requests } of router.upstreams) {
      const [seen] = requests;
      assert.equal(seen?.body.model, 'm');
      assert.ok(seen.text.includes(`"messages":${MESSAGES}`), seen.text);
      for (const member of [`"seed":${DIGITS}`, `${DIGITS}00, "price": 1.10`, `"maximum":${DIGITS}`]) {
        assert.ok(seen.text.includes(member), seen.text);
      }
    }
  });
}

test('embeddings and rerank keep them, too', async () => {
  await using router = await bootRouter();
  await postText(router, '/v1/embeddings', `{"model":"a/m","input":["x"],"seed":${DIGITS}}`);
  await postText(router, '/v1/rerank', `{"model":"a/m","query":"q","documents":["x"],"seed":${DIGITS}}`);
  assert.deepEqual(
    router.upstreams[0]?.requests.map(({ text }) => /"seed":\d+/.exec(text)?.[0]),
    [`"seed":${DIGITS}`, `"seed":${DIGITS}`],
  );
});

test('where an interceptor replaces a member the others keep their text', async () => {
  await using router = await bootRouter();
  router.server.service(MODELS).interceptChat(async (request) => ({
    ...request,
    messages: [{ role: 'system', content: 'remembered' }, ...request.messages],
    temperature: 0.5,
  }));
  await postText(router, '/v1/chat/completions', `{"model":"a/m","messages":${MESSAGES},${OWN}}`);
  const [seen] = router.upstreams[0]?.requests ?? [];
  assert.deepEqual([seen?.body.messages.length, seen?.body['temperature']], [2, 0.5]);
  assert.ok(seen?.text.includes(`"seed":${DIGITS}`), seen?.text);
});

test('who changes a request that it was shown is told: the change would not be sent', () => {
  const body = new RequestBody({ messages: [{ role: 'user' }] }, '{"messages":[{"role":"user"}]}');
  const { messages } = body.shown;
  assert.throws(() => messages.push({ role: 'system' }), TypeError);
  assert.throws(() => (messages[0]!.role = 'system'), TypeError);
});

test('of two members with one name the upstream is sent one', () => {
  const text = '{"model":"x","n": 1,"model":"a/m"}';
  const body = new RequestBody(JSON.parse(text) as object, text);
  assert.equal(body.write({ model: 'm', n: 1 }), '{"model":"m","n":1}');
});

test('for any change the upstream reads what has become of the value', () => {
  const value = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue(), { maxKeys: 6 });
  fc.assert(
    fc.property(value, value, fc.boolean(), (own, other, replaces) => {
      const text = JSON.stringify(own, null, 1);
      const parsed = JSON.parse(text) as Record<string, unknown>;
      const changed = replaces ? { ...parsed, ...other } : { ...parsed, model: 'm' };
      const written = new RequestBody(parsed, text).write(changed);
      assert.deepEqual(JSON.parse(written), JSON.parse(JSON.stringify(changed)));
    }),
  );
});

test('a member that became undefined is left out, as JSON does', () => {
  const text = '{"model":"a/m","n":1}';
  const body = new RequestBody(JSON.parse(text) as object, text);
  assert.equal(body.write({ model: 'm', n: undefined, user: undefined }), '{"model":"m"}');
});

const MESSAGES = '[ {"role":"user", "content":"h\\u00e9llo"} ]';

async function postText(router: RouterServer, path: string, body: string): Promise<void> {
  const answer = await fetch(router.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${router.key}`, 'content-type': 'application/json' },
    body,
  });
  assert.equal(answer.status, 200, await answer.text());
}
