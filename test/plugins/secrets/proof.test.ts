/** What was sealed can be read after a change of keys or of the server, or the start is refused by the name of the key. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { definePlugin, type Document, SECRETS, sha256, STORAGE, Type } from 'plugboard/sdk';
import { bootTest, type TestServer } from 'plugboard/testing';
import { sealRing } from '../../../plugins/secrets/ring.js';
import { eachStore } from '../../support/stores.js';

interface Note extends Document {
  readonly sealed: string;
}

/** Keeps one text, sealed. */
const keeper = definePlugin({
  name: 'keeper',
  api: 1,
  config: Type.Object({}, { additionalProperties: false }),
  needs: { storage: STORAGE, secrets: SECRETS },
  setup({ needs: { storage, secrets } }) {
    const notes = storage.collection<Note>({ name: 'notes' });
    return {
      routes(app) {
        app.put('/note', async () => {
          await notes.insertOne({ _id: 'one', sealed: secrets.seal('the secret', 'note/one') });
          return {};
        });
        app.get('/note', async () => {
          const note = await notes.findOne({ _id: 'one' });
          return { text: note && secrets.open(note.sealed, 'note/one') };
        });
      },
    };
  },
});

eachStore('the proof of the sealing keys', (store) => {
  test('a new key alone is refused by the name of the old one, and reads what that sealed when both are listed', async () => {
    const storage = await store.fresh();
    const [old, next] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];
    const start = (...keys: string[]): Promise<TestServer> =>
      bootTest({ storage, secrets: { keys }, plugins: [{ plugin: keeper, prefix: '/' }] });
    {
      await using server = await start(old);
      assert.equal((await server.inject({ method: 'PUT', url: '/note' })).statusCode, 200);
    }

    const name = sha256(Buffer.from(old, 'base64')).slice(0, 8);
    await assert.rejects(start(next), ({ message }: Error) => {
      assert.match(message, /the sealing keys are not those of this store/);
      assert.ok(message.includes(`the key ${name}`), message);
      assert.ok(!message.includes(old) && !message.includes(next), 'no key is shown');
      return true;
    });

    // The refused start has changed nothing: the old key still starts, and so does the new one with it.
    await (await start(old)).stop();
    await using server = await start(next, old);
    assert.deepEqual((await server.inject('/note')).json(), { text: 'the secret' });
  });
});

test('what version 0.1.0 sealed is opened', () => {
  const ring = sealRing(['0123456789abcdef'.repeat(4)]);
  const sealed = '4884fdaa.jXXJ627ZPkkD8CpfpdBH0kWknvZMiCSqBKTKocb_dYruH2KfEJusPP50DNvAW9Y';
  assert.equal(ring.open(sealed, 'note/one'), 'the secret of 0.1.0');
});
