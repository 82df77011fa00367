import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  STORAGE,
  StorageError,
  type CollectionSpec,
  type Document,
  type Storage,
  type StorageErrorCode,
} from 'plugboard/sdk';
import { bootTest, fake, LogLines, type TestServer } from 'plugboard/testing';
import { ADMIN_PASSWORD, bearer, guarded, outcome, TestClock } from './support.js';

const plugins = [{ plugin: guarded({ bearer: { accepts: 'bearer', scope: 'x' } }) }];
const auth = { adminPassword: ADMIN_PASSWORD };
const secrets = { keys: ['0'.repeat(64)] };

for (const [code, level, message] of [
  ['unsupported', 30, /the store has no change feed/],
  ['unavailable', 40, /lost the change feed of "[a-z_]*keys"/],
] as const) {
  test(`while the change feed is ${code}, a revoked key works for a second elsewhere and no longer`, async () => {
    const clock = new TestClock();
    const log = new LogLines();
    await using real = await bootTest({ plugins, auth, secrets });
    const provide = [fake(STORAGE, withoutFeed(real.service(STORAGE, 'auth'), code))];
    await using one = await bootTest({ plugins, auth, secrets, provide, clock });
    await using two = await bootTest({ plugins, auth, secrets, provide, clock, log });
    const { stdout } = await one.command(['keys', 'create', 'shared', '--scope', 'x', '--json']);
    const { id, key } = JSON.parse(stdout) as { id: string; key: string };
    assert.equal(await use(two, key), '200 key');

    const headers = bearer(await one.key('manage'));
    await one.inject({ method: 'DELETE', url: `/api/keys/${id}`, headers });
    assert.equal(await use(one, key), '401 api_key_revoked');
    clock.advance(999);
    assert.equal(await use(two, key), '200 key');
    clock.advance(1);
    assert.equal(await use(two, key), '401 api_key_revoked');
    const entries = log.lines.map((line) => JSON.parse(line) as { level: number; msg: string });
    assert.ok(entries.some((entry) => entry.level === level && message.test(entry.msg)));
  });
}

/** The real store, but for its feed. */
function withoutFeed(storage: Storage, code: StorageErrorCode): Storage {
  return {
    directory: storage.directory,
    ping: () => storage.ping(),
    transaction: (work) => storage.transaction(work),
    collection<D extends Document>(spec: CollectionSpec) {
      const collection = storage.collection<D>(spec);
      const changes = () => Promise.reject(new StorageError(code, 'there is no feed in this test'));
      return new Proxy(collection, {
        get(target, name) {
          if (name === 'changes') return changes;
          const member = Reflect.get(target, name) as unknown;
          return typeof member === 'function' ? (member.bind(target) as unknown) : member;
        },
      });
    },
  };
}

async function use(server: TestServer, key: string): Promise<string> {
  return outcome(await server.inject({ url: '/guarded/bearer', headers: bearer(key) }));
}
