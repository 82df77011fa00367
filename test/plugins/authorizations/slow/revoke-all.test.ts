/** Revoking an application's 100,000 tokens on several processes that are killed while they clean up. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { sha256, STORAGE } from 'plugboard/sdk';
import { bootTest } from 'plugboard/testing';
import authorizations from '../../../../plugins/authorizations/index.js';
import { deployment } from '../../../support/servers/deployment.js';
import { eventually } from '../../../support/eventually.js';
import { SpawnedServer } from '../../../support/servers/spawned-server.js';
import { mongodbMissing, mongodbUrl } from '../../../support/stores.js';
import { basic, type App } from '../support.js';

const TOKENS = Number(process.env['TOKENS'] ?? 100_000);

describe('revoking all tokens of an application', { skip: mongodbMissing }, () => {
  test('is refused by the first check on another process, and survives kill -9', async (t) => {
    const storage = {
      use: 'mongodb',
      url: await mongodbUrl(),
      database: `test_revoke_${Date.now()}`,
    } as const;
    const installation = deployment(storage, { authorizations: null });
    const secrets = { keys: [installation.sealKey] };
    const { app, token, user } = await seed();
    const asApp = { authorization: basic(app.clientId, app.clientSecret) };
    const tokens = `/applications/${app.clientId}/tokens`;

    await using one = await SpawnedServer.start(installation);
    await using two = await SpawnedServer.start(installation);
    assert.equal((await fetch(`${two.url}${tokens}/${token}`, { headers: asApp })).status, 200);
    const began = performance.now();
    assert.equal((await fetch(`${one.url}${tokens}`, { method: 'DELETE', headers: asApp })).status, 204);
    const answered = performance.now() - began;
    assert.equal((await fetch(`${two.url}${tokens}/${token}`, { headers: asApp })).status, 404);

    await using observer = await bootTest({ storage, secrets, plugins: [] });
    const stored = observer.service(STORAGE, 'authorizations').collection({ name: 'authorizations' });
    const left = () => stored.countDocuments({});
    await eventually(async () => (await left()) < TOKENS, 'the job has begun', 60_000);
    await Promise.all([one.end('SIGKILL'), two.end('SIGKILL')]);
    const atKill = await left();
    assert.ok(atKill > 1, 'the job was killed while it ran');

    await using three = await SpawnedServer.start(installation);
    assert.equal((await fetch(`${three.url}${tokens}/${token}`, { headers: asApp })).status, 404);
    await eventually(async () => (await left()) === 1, 'all but the personal token are deleted', 900_000);
    assert.equal(
      (await fetch(`${three.url}/authorizations/${user.kept}`, { headers: user.headers })).status,
      200,
    );
    t.diagnostic(`${TOKENS} tokens: 204 after ${Math.round(answered)} ms; ${atKill} were left at kill -9`);
    await three.end('SIGTERM');

    /** Written past the routes: through them 100,000 would take minutes. */
    async function seed() {
      await using server = await bootTest({ storage, secrets, plugins: [{ plugin: authorizations }] });
      const made = await server.command(['apps', 'create', 'Bot', '--url', 'https://a.example', '--json']);
      const bot = JSON.parse(made.stdout) as App & { id: string; name: string; url: string };
      await server.command(['users', 'create', 'ann', '--password-stdin'], 'correct horse\n');
      const headers = { authorization: basic('ann', 'correct horse') };
      const create = async (body: object) =>
        (await server.inject({ method: 'POST', url: '/authorizations', headers, payload: body })).json<{
          id: number;
          token: string;
        }>();
      const personal = await create({ note: 'kept' });
      const first = await create({
        note: 'first',
        client_id: bot.clientId,
        client_secret: bot.clientSecret,
      });
      const documents = server.service(STORAGE, 'authorizations').collection({ name: 'authorizations' });
      const sample = await documents.findOne({ _id: String(first.id) });
      for (let at = 0; at < TOKENS; at += 1000) {
        const batch = Array.from({ length: Math.min(1000, TOKENS - at) }, (_, place) => {
          const id = 1_000_000 + at + place;
          return { ...sample, _id: String(id), id, tokenHash: sha256(randomBytes(20)) };
        });
        await documents.insertMany(batch);
      }
      return { app: bot, token: first.token, user: { headers, kept: personal.id } };
    }
  });
});
