/** Every vendor's client against every kind of upstream. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { bootRouter, type RouterServer } from '../../plugins/router/support/boot.js';
import { CLIENTS, type Client, type Task } from './clients.js';
import { CALLS, Vendor } from './vendor.js';

const SAID = 'grüß dich 😀';
const UPSTREAMS = ['chat', 'responses', 'anthropic', 'gemini', 'azure'] as const;

const TASKS: Readonly<Record<string, Task>> = {
  text: {},
  vision: { image: true },
  tools: { tools: true },
  'tool round trip': { tools: true, roundTrip: true },
  'JSON schema': { schema: true },
  thinking: { thinking: true },
  'thinking with tools': { thinking: true, tools: true, roundTrip: true },
};

let vendor: Vendor;
let router: RouterServer;

before(async () => {
  vendor = await Vendor.start();
  const { url } = vendor;
  const model = { models: ['m'], apiKey: 'vendor-secret' };
  router = await bootRouter([], {
    upstreams: [
      { name: 'chat', baseUrl: `${url}/v1`, ...model },
      { name: 'responses', baseUrl: `${url}/v1`, wire: 'responses', ...model },
      { name: 'anthropic', dialect: 'anthropic', baseUrl: url, ...model },
      { name: 'gemini', dialect: 'gemini', baseUrl: url, ...model },
      { name: 'azure', dialect: 'azure', baseUrl: url, apiVersion: '2024-10-21', ...model },
    ],
  });
});
after(async () => {
  await router[Symbol.asyncDispose]();
  await vendor[Symbol.asyncDispose]();
});

const clients = (): Client[] => CLIENTS.map((make) => make(router.url, router.key));

for (const [index, make] of CLIENTS.entries()) {
  const { name } = make('http://localhost', 'key');
  for (const upstream of UPSTREAMS)
    for (const [feature, task] of Object.entries(TASKS))
      for (const stream of [false, true])
        test(`${name} at ${upstream}: ${feature}${stream ? ', streamed' : ''}`, async () => {
          vendor.isCut = stream;
          const before = (await router.usage(0)).total;
          const result = await clients()[index]!.run(`${upstream}/m`, { ...task, stream });
          vendor.isCut = false;
          const asksTools = task.tools === true && task.roundTrip !== true;
          assert.equal(result.text, asksTools ? '' : task.schema ? '{"city":"Seoul"}' : SAID);
          const calls = CALLS.map(({ name: tool, arguments: made }) => ({ name: tool, arguments: made }));
          assert.deepEqual(result.calls, asksTools ? calls : []);
          assert.deepEqual([result.input, result.output], [20, 5]);
          if (task.thinking) assert.equal(result.thinking, 'let me see');
          const made = task.roundTrip ? 2 : 1;
          const { total } = await router.usage(before.calls + made);
          assert.deepEqual(
            [total.calls, total.errors, total.tokensIn, total.tokensOut, total.tokensCached].map(
              (sum, at) =>
                sum -
                [before.calls, before.errors, before.tokensIn, before.tokensOut, before.tokensCached][at]!,
            ),
            [made, 0, 20 * made, 5 * made, 8 * made],
            'each call is recorded once, with its tokens',
          );
        });

  test(`${name}: an upstream's refusal and a bad key are errors with their status`, async () => {
    for (const upstream of UPSTREAMS) {
      vendor.refusal = { status: 400, body: { error: { message: 'no such thing', code: 'bad' } } };
      await assert.rejects(clients()[index]!.run(`${upstream}/m`, {}), (error: Error) => {
        assert.match(error.message, /no such thing/);
        return clients()[index]!.statusOf(error) === 400;
      });
    }
    const wrong = make(router.url, 'pb_wrong');
    await assert.rejects(wrong.run('chat/m', {}), (error) => wrong.statusOf(error) === 401);
    await assert.rejects(
      clients()[index]!.run('nowhere/m', {}),
      (error) => clients()[index]!.statusOf(error) === 404,
    );
  });
}

test('the table of the README is what is tested here', () => {
  const readme = readFileSync('plugins/router/README.md', 'utf8');
  for (const make of CLIENTS) assert.ok(readme.includes(`\`${make('http://localhost', 'key').name}\``));
  for (const feature of Object.keys(TASKS)) assert.ok(readme.includes(feature), feature);
});
