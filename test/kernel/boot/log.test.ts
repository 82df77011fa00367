import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { definePlugin, JOBS, Type } from 'plugboard/sdk';
import { bootTest, LogLines } from 'plugboard/testing';
import { eventually } from '../../support/eventually.js';

const SECRET = 'sk-"quoted"-1234';

type Line = Readonly<Record<string, unknown>>;
const linesOf = (log: LogLines): Line[] => log.lines.map((line) => JSON.parse(line) as Line);

/** Logs its secret wherever a plugin can log. */
const shop = definePlugin({
  name: 'shop',
  api: 1,
  config: Type.Object(
    {
      key: Type.String({ secret: true }),
      pin: Type.String({ secret: true }),
      upstreams: Type.Array(
        Type.Object({ token: Type.String({ secret: true }) }, { additionalProperties: false }),
      ),
    },
    { additionalProperties: false },
  ),
  needs: { jobs: JOBS },
  setup({ config, log, needs: { jobs } }) {
    const everywhere = { deep: { in: { it: { config } } }, err: new Error(`refused: ${config.key}`) };
    log.info(everywhere, `opened with ${config.upstreams[0]?.token}`);
    log.info({ config }, 'config');
    jobs.handle('pay', (run) => run.log.info(everywhere, 'in the job'));
    return {
      routes(app) {
        app.get('/pay', async (request, reply) => {
          request.log.info(everywhere, 'of the request');
          request.log.info({ config }, 'config');
          reply.log.info('of the answer');
          await jobs.add('pay');
          return {};
        });
        app.get('/half', (_request, reply) => reply.type('text/plain').send(Readable.from(half(config.key))));
      },
    };
  },
});

async function* half(key: string): AsyncGenerator<string> {
  yield await Promise.resolve('the first half');
  throw new Error(`no second half: ${key}`);
}

const config = { key: SECRET, pin: '1234', upstreams: [{ token: 'token-of-an-upstream' }] };

test('a secret of the config is in no line of the log, wherever a plugin puts it', async () => {
  const log = new LogLines();
  await using server = await bootTest({ log, plugins: [{ plugin: shop, config }] });
  await server.inject('/pay');
  await eventually(() => log.lines.some((line) => line.includes('in the job')), 'the job has run');
  const text = log.lines.join('\n');
  for (const message of ['opened with [secret]', 'of the request', 'in the job'])
    assert.ok(text.includes(message), message);
  assert.ok(!text.includes('quoted') && !text.includes('token-of'), text);
  const pins = linesOf(log)
    .filter(({ msg }) => msg === 'config')
    .map((line) => (line['config'] as { pin?: string }).pin);
  assert.deepEqual(pins, ['[secret]', '[secret]'], 'a short one is masked under its key');
});

test('a line of a request names the plugin and the request, and one of a job names its plugin', async () => {
  const log = new LogLines();
  await using server = await bootTest({ log, plugins: [{ plugin: shop, config }] });
  const { headers } = await server.inject('/pay');
  await eventually(() => log.lines.some((line) => line.includes('in the job')), 'the job has run');
  const about = (message: string): unknown[] =>
    linesOf(log)
      .filter(({ msg }) => msg === message)
      .map(({ plugin, requestId }) => [plugin, requestId]);
  assert.deepEqual(about('of the request'), [['shop', headers['x-request-id']]]);
  assert.deepEqual(about('of the answer'), [['shop', headers['x-request-id']]]);
  assert.deepEqual(about('in the job'), [['shop', undefined]]);
});

test('an answer that fails after it has begun is logged with its request', async () => {
  const log = new LogLines();
  await using server = await bootTest({ log, plugins: [{ plugin: shop, config }] });
  const answer = await fetch(`${await server.listen()}/half`);
  await assert.rejects(answer.text());
  await eventually(() => linesOf(log).some(({ level }) => level === 50), 'the failure is logged');
  const [failed] = linesOf(log).filter(({ level }) => level === 50);
  assert.equal(failed?.['requestId'], answer.headers.get('x-request-id'));
  assert.equal(failed['route'], 'GET /half');
  const { message } = (failed ?? {})['err'] as { message?: string };
  assert.equal(message, 'no second half: [secret]');
});
