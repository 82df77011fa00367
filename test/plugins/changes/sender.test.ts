import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { test } from 'node:test';
import { StorageError } from 'plugboard/sdk';
import { Sender, type SenderParts } from '../../../plugins/changes/sender.js';
import { silentLog } from '../../support/silent-log.js';

/** Turns of the event loop in which a sender that tries again at once would have tried many times. */
const TURNS = 200;

test('a store that refuses to hand deliveries out is asked once a round', async () => {
  const endpoint = { _id: 'one' };
  let claims = 0;
  const stopping = new AbortController();
  const parts = {
    deliveries: {
      findOne: () => Promise.resolve({ endpoint: endpoint._id }),
      findOneAndUpdate: () => {
        claims += 1;
        return Promise.reject(new StorageError('unavailable', 'away'));
      },
    },
    endpoints: { list: () => Promise.resolve([endpoint]), find: () => Promise.resolve(endpoint) },
    forms: { ofEndpoint: () => ({}) },
    clock: Date,
    log: silentLog,
  } as unknown as SenderParts;
  const sender = new Sender(parts, stopping.signal);
  for (let round = 1; round <= 2; round += 1) {
    await assert.rejects(sender.round(), /away/);
    for (let turn = 0; turn < TURNS; turn += 1) await setImmediate();
    assert.equal(claims, round);
  }
  stopping.abort();
});
