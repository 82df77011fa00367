import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import { clientOf, HttpClient } from '../../../plugins/router/call/client.js';
import { Watchdog } from '../../../plugins/router/call/watchdog.js';

class Connection extends EventEmitter {
  destroyed = false;
  writableFinished = false;
}

test('a connection that closes before the answer is out tells whoever watches', () => {
  const connection = new Connection();
  const client = new HttpClient(connection, (gone) => connection.on('close', gone));
  const seen: string[] = [];
  client.watch(() => seen.push('first attempt'))();
  client.watch(() => seen.push('second attempt'));
  connection.emit('close');
  assert.deepEqual([seen, client.isGone], [['second attempt'], true]);
});

test('a connection that closes after the answer is no departure', () => {
  const connection = new Connection();
  const client = new HttpClient(connection, (gone) => connection.on('close', gone));
  client.watch(() => assert.fail('nobody has left'));
  connection.writableFinished = true;
  connection.emit('close');
  assert.equal(client.isGone, false);
});

test('a client that left before the call began ends its first attempt at once', () => {
  const connection = new Connection();
  connection.destroyed = true;
  for (const client of [
    new HttpClient(connection, (gone) => connection.on('close', gone)),
    clientOf(AbortSignal.abort()),
  ]) {
    const watchdog = new Watchdog(1_000, client);
    const ends: string[] = [];
    watchdog.guard(({ code }) => ends.push(code));
    watchdog.stop();
    assert.deepEqual(ends, ['client_gone']);
  }
});

test('a limit that is set back does not end the attempt; the one that passes is named', async () => {
  const watchdog = new Watchdog(60_000, clientOf(undefined));
  const ended = new Promise<string>((resolve) => watchdog.guard(({ code }) => resolve(code)));
  watchdog.arm('headers', 20);
  watchdog.arm('idle', 40);
  assert.equal(await ended, 'idle_timeout');
});

test('while nothing is waited for, only the limit of the whole call counts', async () => {
  const watchdog = new Watchdog(40, clientOf(undefined));
  const ended = new Promise<string>((resolve) => watchdog.guard(({ code }) => resolve(code)));
  watchdog.arm('idle', 10);
  watchdog.disarm();
  assert.equal(await ended, 'total_timeout');
});
