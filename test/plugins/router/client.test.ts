import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Watchdog } from '../../../plugins/router/call/watchdog.js';

test('a client that left before the call began ends its first attempt at once', () => {
  const watchdog = new Watchdog(1_000, AbortSignal.abort());
  const ends: string[] = [];
  watchdog.guard(({ code }) => ends.push(code));
  watchdog.stop();
  assert.deepEqual(ends, ['client_gone']);
});

test('a client that leaves ends the attempt under way, and none that is over', () => {
  const client = new AbortController();
  const ends: string[] = [];
  const watched = (name: string): Watchdog => {
    const watchdog = new Watchdog(60_000, client.signal);
    watchdog.guard(({ code }) => ends.push(`${name} ${code}`));
    return watchdog;
  };
  watched('first').stop();
  const second = watched('second');
  client.abort();
  second.stop();
  assert.deepEqual(ends, ['second client_gone']);
});

test('a limit that is set back does not end the attempt; the one that passes is named', async () => {
  const watchdog = new Watchdog(60_000, undefined);
  const ended = new Promise<string>((resolve) => watchdog.guard(({ code }) => resolve(code)));
  watchdog.arm('headers', 20);
  watchdog.arm('idle', 40);
  assert.equal(await ended, 'idle_timeout');
});

test('while nothing is waited for, only the limit of the whole call counts', async () => {
  const watchdog = new Watchdog(40, undefined);
  const ended = new Promise<string>((resolve) => watchdog.guard(({ code }) => resolve(code)));
  watchdog.arm('idle', 10);
  watchdog.disarm();
  assert.equal(await ended, 'total_timeout');
});
