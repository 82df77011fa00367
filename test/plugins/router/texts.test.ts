/** Recorded texts of calls: by the config, sealed, for administrators alone. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PEOPLE } from 'plugboard/sdk';
import { eventually } from '../../support/eventually.js';
import { bootRouter, chat, type RouterServer } from './support/boot.js';

const PASSWORD = 'seven green tractors';
const SECRET = 'the launch is in May';

interface Text {
  readonly at: string;
  readonly key: string;
  readonly model: string;
  readonly request: string;
  readonly answer: string | null;
}

test('what is asked and answered is recorded, whole and streamed, in words that one can read', async () => {
  await using router = await bootRouter(['a'], { texts: {} });
  router.upstreams[0]!.always({ kind: 'ok', content: 'so it is' });
  const calls: [string, object][] = [
    ['/v1/chat/completions', chat('a/m', { messages: [{ role: 'user', content: SECRET }] })],
    ['/v1/chat/completions', chat('a/m', { stream: true, messages: [{ role: 'user', content: SECRET }] })],
    ['/v1/responses', { model: 'a/m', input: SECRET }],
    [
      '/v1/messages',
      { model: 'a/m', max_tokens: 5, stream: true, messages: [{ role: 'user', content: SECRET }] },
    ],
  ];
  for (const [path, body] of calls) await (await router.post(path, body)).text();
  for (const text of await textsOf(router, 4)) {
    assert.match(text.request, /the launch is in May/);
    assert.deepEqual([text.model, text.answer], ['a/m', 'so it is']);
  }
});

test('without the config nothing is recorded, and asking for it says so', async () => {
  await using router = await bootRouter(['a']);
  const answer = await router.get('/api/usage/texts?key=k&at=2026-01-01T00:00:00Z');
  assert.deepEqual(
    [answer.status, ((await answer.json()) as { error: { code: string } }).error.code],
    [404, 'texts_off'],
  );
});

test('texts are cut, and only those of the named keys are kept', async () => {
  await using router = await bootRouter(['a'], { texts: { keys: ['watched*'], maxCharacters: 100 } });
  const words = ['keys', 'create', 'watched-1', '--json', '--scope', 'chat'];
  const { key } = JSON.parse((await router.server.command(words)).stdout) as { key: string };
  const body = chat('a/m', { messages: [{ role: 'user', content: 'long '.repeat(500) }] });
  await router.post('/v1/chat/completions', body);
  await router.post('/v1/chat/completions', body, { key });
  const found = await textsOf(router, 1, 2);
  assert.equal(found[0]?.request.length, 100);
});

test('what guards redact is not recorded either, on both sides', async () => {
  const patterns = { date: { pattern: 'in May', action: 'redact' } };
  await using router = await bootRouter(['a'], { texts: {}, guards: { patterns } });
  router.upstreams[0]!.always({ kind: 'ok', content: SECRET });
  for (const stream of [false, true])
    await (
      await router.post(
        '/v1/chat/completions',
        chat('a/m', { stream, messages: [{ role: 'user', content: SECRET }] }),
      )
    ).text();
  for (const text of await textsOf(router, 2)) {
    assert.doesNotMatch(text.request + text.answer, /in May/);
    assert.match(text.request, /the launch is \[date\]/);
    assert.equal(text.answer, 'the launch is [date]');
  }
});

test('they are erased with whom they are of', async () => {
  await using router = await bootRouter(['a'], { texts: {}, cache: {} });
  await router.post('/v1/chat/completions', chat('a/m', { messages: [{ role: 'user', content: SECRET }] }));
  const [text] = await textsOf(router, 1);
  const { data } = router.server
    .service(PEOPLE)
    .list()!
    .find(({ plugin }) => plugin === 'router')!;
  const person = { principals: [text!.key] };
  const exported: object[] = [];
  for await (const one of data.export(person)) exported.push(one);
  assert.match(JSON.stringify(exported), new RegExp(SECRET));
  assert.equal(await data.erase(person), 2);
  assert.deepEqual(await textAt(router, text!), []);
  for await (const left of data.export(person)) assert.fail(JSON.stringify(left));
});

test('a viewer sees the calls, and not their texts', async () => {
  await using router = await bootRouter(['a'], { texts: {} });
  await router.post('/v1/chat/completions', chat('a/m'));
  const [text] = await textsOf(router, 1);
  for (const [access, status] of [
    ['viewer', 403],
    ['admin', 200],
  ] as const) {
    const name = `${access}-ann`;
    const made = await router.server.command(
      ['users', 'create', name, '--access', access, '--password-stdin'],
      PASSWORD,
    );
    assert.equal(made.code, 0, made.stderr);
    const payload = { login: name, password: PASSWORD };
    const login = await router.server.inject({ method: 'POST', url: '/api/auth/login', payload });
    assert.equal(login.statusCode, 200, login.body);
    const cookie = String(login.headers['set-cookie']).split(';')[0]!;
    const read = (path: string): Promise<Response> => fetch(router.url + path, { headers: { cookie } });
    assert.equal((await read('/api/usage/calls')).status, 200);
    const { key, at } = text!;
    const answer = await read(`/api/usage/texts?${new URLSearchParams({ key, at }).toString()}`);
    assert.equal(answer.status, status, await answer.text());
  }
});

/** The texts of all calls, once there are so many. */
async function textsOf(router: RouterServer, count: number, calls = count): Promise<Text[]> {
  let texts: Text[] = [];
  await eventually(async () => {
    const { data } = (await (await router.get('/api/usage/calls')).json()) as {
      data: Pick<Text, 'at' | 'key'>[];
    };
    if (data.length < calls) return false;
    texts = (await Promise.all(data.map((call) => textAt(router, call)))).flat();
    return texts.length === count;
  }, `${count} texts`);
  return texts;
}

async function textAt(router: RouterServer, { at, key }: Pick<Text, 'at' | 'key'>): Promise<Text[]> {
  const answer = await router.get(`/api/usage/texts?${new URLSearchParams({ key, at }).toString()}`);
  assert.equal(answer.status, 200);
  return ((await answer.json()) as { data: Text[] }).data;
}
