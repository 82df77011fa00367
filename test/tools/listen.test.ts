/** `plugboard listen`, as a process of its own. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { changesServer } from '../plugins/changes/support.js';
import { eventually } from '../support/eventually.js';
import { root } from '../support/fixtures.js';
import { receiver } from '../support/peers/receiver.js';

interface Listening {
  readonly process: ChildProcess;
  readonly output: () => string;
}

function listen(t: TestContext, ...words: string[]): Listening {
  const script = join(root, 'dist/tools/plugboard.js');
  const child = spawn(process.execPath, [script, 'listen', ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  t.after(() => child.kill('SIGKILL'));
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (text += String(chunk)));
  return { process: child, output: () => text };
}

test('listen forwards signed changes, goes on where it was killed, and leaves nothing when it is stopped', async (t) => {
  await using to = await receiver();
  await using served = await changesServer();
  const words = ['--server', await served.server.listen(), '--key', await served.server.key('changes')];
  const first = listen(t, ...words, '--forward-to', to.url, '--type', 'thing.*');
  await eventually(() => first.output().includes('--resume'), 'it listens');
  const [, secret = '', id = ''] = /secret is (\S+)\n.*--resume (\S+)/.exec(first.output()) ?? [];
  await served.note('한-1', 1);
  await eventually(() => first.output().includes('thing.changed 한-1 -> 200'), 'it says so');
  first.process.kill('SIGKILL');
  await once(first.process, 'close');
  await served.note('한-1', 2);
  const second = listen(t, ...words, '--forward-to', to.url, '--resume', id);
  await eventually(() => to.received.length >= 2, 'what happened meanwhile is forwarded');
  for (const { body, headers } of to.received)
    new Webhook(secret).verify(body, headers as Record<string, string>);
  await eventually(async () => (await served.deliveries('delivered')).length === 2, 'it is confirmed');
  second.process.kill('SIGTERM');
  assert.deepEqual(await once(second.process, 'close'), [0, null]);
  assert.deepEqual((await served.call('GET', '/endpoints')).body, { endpoints: [] });
});

test('listen says what is wrong with its words, its key and its server', async (t) => {
  await using served = await changesServer();
  const url = await served.server.listen();
  const key = 'pb_wrong';
  for (const [words, says] of [
    [['--server', url], /--key KEY/],
    [['--server', 'nowhere', '--key', key], /--server must be a URL/],
    [['--server', url, '--key', key, '--forward-to', 'here'], /--forward-to must be a whole URL/],
    [['--server', url, '--key', key], /answered 401/],
    [['--server', 'http://127.0.0.1:1', '--key', key], /no server answers at/],
  ] as const) {
    const { process: child, output } = listen(t, ...words);
    assert.deepEqual(await once(child, 'close'), [2, null], output());
    assert.match(output(), says);
    assert.ok(!output().includes(key));
  }
});
