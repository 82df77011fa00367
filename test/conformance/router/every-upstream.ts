/**
 * Clients against every kind of upstream, whole and streamed: a client's row in the table of the router's README says
 * what works and what is refused, and that is what is tested.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { bootRouter, type RouterServer } from '../../plugins/router/support/boot.js';
import { root } from '../../support/fixtures.js';
import type { MakeClient, Task } from './clients.js';
import { CALLS, Vendor } from './vendor.js';

const SAID = 'grüß dich 😀';
const UPSTREAMS = ['openai', 'openai-responses', 'anthropic', 'gemini', 'azure'] as const;

const TASKS: Readonly<Record<string, Task>> = {
  text: {},
  vision: { image: true },
  tools: { tools: true },
  'tool round trip': { tools: true, roundTrip: true },
  'JSON schema': { schema: true },
  thinking: { thinking: true },
  'thinking with tools': { thinking: true, tools: true, roundTrip: true },
};

export function testEachUpstream(makers: readonly MakeClient[]): void {
  let vendor: Vendor;
  let router: RouterServer;

  before(async () => {
    vendor = await Vendor.start();
    const { url } = vendor;
    const model = { models: ['m'], apiKey: 'vendor-secret' };
    router = await bootRouter([], {
      upstreams: [
        { name: 'openai', baseUrl: `${url}/v1`, ...model },
        { name: 'openai-responses', baseUrl: `${url}/v1`, wire: 'responses', ...model },
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

  for (const make of makers) {
    const { name } = make('http://localhost', 'key');
    const row = rowOf(name);
    for (const upstream of UPSTREAMS)
      for (const [feature, task] of Object.entries(TASKS))
        for (const stream of [false, true])
          test(`${name} at ${upstream}: ${feature}${stream ? ', streamed' : ''}`, async () => {
            const client = make(router.url, router.key);
            vendor.isCut = stream;
            vendor.seen.length = 0;
            const before = (await router.usage(0)).total;
            const run = client.run(`${upstream}/m`, { ...task, stream });
            const refusal = refusedBy(row[feature], upstream);
            if (refusal !== undefined) {
              await assert.rejects(run, (error: Error) => {
                assert.ok(error.message.includes(refusal), error.message);
                return client.statusOf(error) === 400;
              });
              assert.equal(vendor.seen.length, 0, 'it is refused before the call');
              return;
            }
            const result = await run;
            const asksTools = task.tools === true && task.roundTrip !== true;
            if (task.schema) assert.deepEqual(JSON.parse(result.text), { city: 'Seoul' });
            else assert.equal(result.text, asksTools ? '' : SAID);
            const calls = CALLS.map(({ name: tool, arguments: made }) => ({ name: tool, arguments: made }));
            assert.deepEqual(result.calls, asksTools ? calls : []);
            assert.deepEqual([result.input, result.output], [20, 5]);
            if (task.thinking) assert.equal(result.thinking, client.hidesThinking ? '' : 'let me see');
            const made = task.roundTrip ? 2 : 1;
            assert.equal(vendor.seen.length, made);
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
      vendor.isCut = false;
      const client = make(router.url, router.key);
      for (const upstream of UPSTREAMS) {
        vendor.refusal = { status: 400, body: { error: { message: 'no such thing', code: 'bad' } } };
        await assert.rejects(client.run(`${upstream}/m`, {}), (error: Error) => {
          assert.match(error.message, /no such thing/);
          return client.statusOf(error) === 400;
        });
      }
      const wrong = make(router.url, 'pb_wrong');
      await assert.rejects(wrong.run('openai/m', {}), (error) => wrong.statusOf(error) === 401);
      await assert.rejects(client.run('nowhere/m', {}), (error) => client.statusOf(error) === 404);
    });
  }
}

/** The cells of a client's row by feature. Throws where the README has no such row, or a feature has no column. */
function rowOf(client: string): Readonly<Record<string, string>> {
  const rows = readFileSync(join(root, 'plugins/router/README.md'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );
  const head = rows.find((cells) => cells.includes('thinking with tools'));
  const row = rows.find(([first]) => first === `\`${client}\``);
  assert.ok(head !== undefined && row !== undefined, `the README has no row for ${client}`);
  for (const feature of Object.keys(TASKS)) assert.ok(head.includes(feature), `no column "${feature}"`);
  return Object.fromEntries(head.map((feature, at) => [feature, row[at] ?? '']));
}

/** A cell is `works`, or names where the feature is refused and by which parameter: "not at gemini (`seed`)". */
function refusedBy(cell: string | undefined, upstream: string): string | undefined {
  assert.ok(cell === 'works' || cell?.startsWith('not at '), `"${cell}" is no cell of the table`);
  return cell === 'works'
    ? undefined
    : new RegExp(`not at ${upstream} \\(\`([^\`]+)\`\\)`).exec(cell ?? '')?.[1];
}
