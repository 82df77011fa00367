import assert from 'node:assert/strict';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { connect as connectPlainly } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type PeerCertificate } from 'node:tls';
import { test, type TestContext } from 'node:test';
import { request, Agent } from 'undici';
import { bootTest, LogLines } from 'plugboard/testing';
import { createAuthority, hasOpenssl } from '../../../support/peers/certificates.js';
import { eventually } from '../../../support/eventually.js';

const skip = hasOpenssl() ? false : 'skipped: no openssl';

test(
  'https is served with the files of the config, and with new ones when they change',
  { skip },
  async (t) => {
    const folder = await temporaryFolder(t);
    const authority = createAuthority(folder, 'test');
    const file = join(folder, 'server.pem');
    await copyFile(authority.issue('first'), file);
    const log = new LogLines();
    await using server = await bootTest({
      baseDir: folder,
      server: { tls: { cert: 'server.pem', key: file }, drainTimeout: 60_000 },
      log,
    });
    const url = await server.listen();
    assert.match(url, /^https:/);
    const ca = await readFile(authority.caFile, 'utf8');
    const agent = new Agent({ connect: { ca } });
    assert.equal((await request(`${url}/-/live`, { dispatcher: agent })).statusCode, 200);
    await agent.close();
    assert.equal(await subjectOf(url, ca), 'first');
    assert.equal(await protocolWith(url, ca, 'ECDHE-ECDSA-AES128-GCM-SHA256'), 'TLSv1.2');
    await assert.rejects(protocolWith(url, ca, 'ECDHE-ECDSA-AES128-SHA'), 'CBC is not offered');

    await writeFile(file, 'not a certificate');
    await copyFile(authority.issue('second'), file);
    await eventually(async () => (await subjectOf(url, ca)) === 'second', 'the new certificate is served');

    // After the handshake, and before it: neither sends a request, and neither holds the stop up.
    const { port } = new URL(url);
    const shaken = connect({ host: '127.0.0.1', port: Number(port), ca });
    await once(server.app.server, 'secureConnection');
    const silent = connectPlainly(Number(port), '127.0.0.1');
    await once(server.app.server, 'connection');
    const closed = Promise.all([once(shaken, 'close'), once(silent, 'close')]);
    await server.stop();
    await closed;
    assert.ok(!log.lines.some((line) => line.includes('cut off')));
  },
);

test(
  'files that are missing or do not belong together are reported before the server listens',
  { skip },
  async (t) => {
    const folder = await temporaryFolder(t);
    const [one, two] = [createAuthority(folder, 'one').issue('a'), createAuthority(folder, 'two').issue('b')];
    const boot = (cert: string, key: string) => bootTest({ baseDir: folder, server: { tls: { cert, key } } });
    await assert.rejects(boot('no.pem', one), /server\.tls: .*no\.pem.*ENOENT/);
    await assert.rejects(boot(one, two), /server\.tls: .*key values mismatch/);
  },
);

function subjectOf(url: string, ca: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), ca }, () => {
      const certificate: PeerCertificate = socket.getPeerCertificate();
      socket.destroy();
      resolve(String(certificate.subject.CN));
    });
    socket.on('error', reject);
  });
}

async function temporaryFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'plugboard-tls-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** With one cipher of TLS 1.2 alone. Rejects where the server does not offer it. */
async function protocolWith(url: string, ca: string, ciphers: string): Promise<string | null> {
  const socket = connect({
    port: Number(new URL(url).port),
    host: '127.0.0.1',
    ca,
    ciphers,
    maxVersion: 'TLSv1.2',
  });
  await once(socket, 'secureConnect');
  const protocol = socket.getProtocol();
  socket.destroy();
  return protocol;
}
