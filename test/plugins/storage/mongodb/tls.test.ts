/** A mongod that takes TLS connections only, with certificates of an authority that no system knows. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createAuthority } from '../../../support/peers/certificates.js';
import { Mongod, mongodMissing } from '../../../support/mongod/mongod.js';
import { openStore } from '../../../support/storage/open-store.js';
import type { Anything } from '../../../support/storage/store-of-test.js';

const skip =
  mongodMissing || (spawnSync('openssl', ['version']).status === 0 ? false : 'skipped: openssl is not there');

describe('a mongod with --tlsMode requireTLS', { skip }, () => {
  let folder = '';
  let mongod: Mongod | undefined;
  const files = { ca: '', otherCa: '', client: '' };
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plugboard-tls-'));
    const authority = createAuthority(folder, 'ours');
    const server = authority.issue('server');
    files.ca = authority.caFile;
    files.client = authority.issue('client');
    files.otherCa = createAuthority(folder, 'other').caFile;
    mongod = await Mongod.start({
      args: ['--tlsMode', 'requireTLS', '--tlsCertificateKeyFile', server, '--tlsCAFile', files.ca],
      client: { tls: true, tlsCAFile: files.ca, tlsCertificateKeyFile: files.client },
    });
  });
  after(async () => {
    await mongod?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  const open = (tls?: object) =>
    openStore({
      use: 'mongodb',
      url: mongod!.url,
      database: 'tls',
      timeouts: { serverSelection: 1000, connect: 1000 },
      ...(tls && { tls }),
    });

  test('is reached with its authority and a certificate of it', async () => {
    const store = await open({ caFile: files.ca, certificateKeyFile: files.client });
    const collection = store.storage.collection<Anything>({ name: 'rows' });
    await collection.insertOne({ _id: 'a' });
    assert.deepEqual(await collection.findOne({}), { _id: 'a' });
    await store.close();
  });

  for (const [name, tls, said] of [
    [
      'another authority',
      () => ({ caFile: files.otherCa, certificateKeyFile: files.client }),
      /storage\.tls\.caFile/,
    ],
    ['no authority', () => ({ certificateKeyFile: files.client }), /storage\.tls\.caFile/],
    ['no certificate where the server wants one', () => ({ caFile: files.ca }), /cannot be reached/],
    ['no TLS at all', () => undefined, /storage\.tls: \{ enabled: true \}/],
    [
      'an authority whose file is not there',
      () => ({ caFile: join(folder, 'absent.pem') }),
      /storage\.tls.*absent\.pem/,
    ],
  ] as const) {
    test(`${name} stops the start with an error that says why`, async () => {
      await assert.rejects(open(tls()), (error: Error) => {
        assert.match(error.message, said);
        return true;
      });
    });
  }
});
