/** `plugboard router try MODEL` against stand-ins of each kind of upstream, and against what goes wrong. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { bootRouter, type RouterServer } from '../../plugins/router/support/boot.js';
import { Vendor } from './vendor.js';

let vendor: Vendor;
let router: RouterServer;
before(async () => {
  vendor = await Vendor.start();
  const { url } = vendor;
  router = await bootRouter(['a'], ([a]: readonly { url: string }[]) => ({
    upstreams: [
      { name: 'a', baseUrl: a!.url, apiKey: 'wrong', apiKeys: ['right'] },
      { name: 'chat', baseUrl: `${url}/v1`, apiKey: 'secret' },
      { name: 'responses', wire: 'responses', baseUrl: `${url}/v1`, apiKey: 'secret' },
      { name: 'claude', dialect: 'anthropic', baseUrl: url, apiKey: 'secret' },
      { name: 'gemini', dialect: 'gemini', baseUrl: url, apiKey: 'secret' },
      { name: 'az', dialect: 'azure', baseUrl: url, apiKey: 'secret' },
      { name: 'down', baseUrl: 'http://127.0.0.1:1/v1' },
      { name: 'nowhere', baseUrl: 'http://plugboard.invalid/v1' },
      { name: 'keyless', baseUrl: `${url}/v1`, apiKey: '' },
    ],
    routes: { both: { targets: ['chat/m', 'down/m'] } },
    prices: { 'chat/*': { input: 1, output: 2 } },
  }));
});
beforeEach(() => router.upstreams[0]?.always({ kind: 'ok' }));
after(async () => {
  await router[Symbol.asyncDispose]();
  await vendor[Symbol.asyncDispose]();
});

const ask = (model: string) => router.server.command(['router', 'try', model]);

for (const [name, dialect] of [
  ['chat', 'chat completions'],
  ['responses', "OpenAI's Responses"],
  ['claude', "Anthropic's messages"],
  ['gemini', "Google's generateContent"],
  ['az', 'chat completions'],
] as const)
  test(`${name}: its dialect, streaming, tools and usage are said`, async () => {
    const { code, stdout, stderr } = await ask(`${name}/m`);
    assert.equal(code, 0, stderr + stdout);
    assert.match(stdout, new RegExp(`dialect +${dialect}`));
    assert.match(stdout, /streams +yes/);
    assert.match(stdout, /tools +yes/);
    assert.match(stdout, /usage +\d+ tokens in, \d+ out/);
  });

test('what it cost is said by the price, or that none is known', async () => {
  assert.match((await ask('chat/m')).stdout, /cost +0\.000030 US dollars, by the price of chat\/\*/);
  assert.match((await ask('down/m')).stdout, /^down\/m/);
  assert.match((await ask('a/m')).stdout, /no price is known: give one in plugins\.router\.prices/);
});

test('a model that does not stream, takes no tools or reports no usage is told apart', async () => {
  const [a] = router.upstreams;
  const message = { role: 'assistant', content: '42' };
  const whole = {
    id: '1',
    object: 'chat.completion',
    choices: [{ index: 0, message, finish_reason: 'stop' }],
  };
  a!.always({ kind: 'status', status: 200, body: whole });
  const { stdout } = await ask('a/m');
  assert.match(stdout, /streams +no/);
  assert.match(stdout, /tools +taken, and not used/);
  assert.match(stdout, /usage +not reported/);
  a!.next({ kind: 'status', status: 400, body: { error: { message: 'm does not support tools' } } });
  assert.match((await ask('a/m')).stdout, /tools +no: a request that offers one is refused/);
});

test('one wrong key of two is named by its place, and no key is shown', async () => {
  const [a] = router.upstreams;
  a!.next({ kind: 'status', status: 401 });
  const { code, stdout } = await ask('a/m');
  assert.equal(code, 0);
  assert.match(stdout, /keys +turned away: 1/);
  a!.always({ kind: 'status', status: 401 });
  const refused = await ask('a/m');
  assert.equal(refused.code, 2);
  assert.match(refused.stdout, /upstream "a" does not accept our API key \(401\): check its apiKey/);
  assert.match(refused.stderr, /"a\/m" does not answer/);
  assert.doesNotMatch(stdout + refused.stdout + refused.stderr, /wrong|right/);
});

test('a server that is down, an address that is wrong and a key that is not set are said in words', async () => {
  const cases: readonly (readonly [model: string, words: RegExp])[] = [
    ['down/m', /nothing listens at http:\/\/127\.0\.0\.1:1\/v1: is the server there started\?/],
    ['nowhere/m', /the host of http:\/\/plugboard\.invalid\/v1 is not known/],
    ['keyless/m', /upstream "keyless" has no API key/],
  ];
  for (const [model, words] of cases) {
    const { code, stdout } = await ask(model);
    assert.equal(code, 2);
    assert.match(stdout, words);
  }
});

test('a model that is not known is answered with those that are', async () => {
  const [a] = router.upstreams;
  a!.always({ kind: 'status', status: 404 });
  const { stdout } = await ask('a/discoverd');
  assert.match(stdout, /does not know "discoverd"; did you mean "discovered"\? it lists discovered/);
  const { code, stderr } = await ask('nobody/m');
  assert.equal(code, 2);
  assert.match(stderr, /there is no model "nobody\/m"/);
});

test('each target of a route is tried, and JSON says the same', async () => {
  const { code, stdout, stderr } = await router.server.command(['router', 'try', 'both', '--json']);
  assert.equal(code, 2);
  const trials = JSON.parse(stdout) as { upstream: string; fault: string | null }[];
  assert.deepEqual(
    trials.map(({ upstream, fault }) => [upstream, fault === null]),
    [
      ['chat', true],
      ['down', false],
    ],
  );
  assert.match(stderr, /1 of 2 targets of "both" do not answer/);
});

test('trying rests no key and counts in no usage', async () => {
  const [a] = router.upstreams;
  a!.always({ kind: 'status', status: 401 });
  await ask('a/m');
  a!.always({ kind: 'ok' });
  const answer = await router.post('/v1/chat/completions', {
    model: 'a/m',
    messages: [{ role: 'user', content: 'x' }],
  });
  assert.equal(answer.status, 200);
  assert.equal((await router.usage(1)).total.calls, 1);
});
