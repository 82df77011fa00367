/** Events, authorizations and rate limit on one server, as clients of the whole API use them. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Octokit } from '@octokit/rest';
import authorizations from '../../plugins/authorizations/index.js';
import ratelimit from '../../plugins/ratelimit/index.js';
import { Octokit16 } from '../support/peers/octokit-16.js';
import { eachStore } from '../support/stores.js';
import { DEMO, EventsServer } from '../plugins/events/support/boot.js';

const silent = { debug() {}, info() {}, warn() {}, error() {} };

eachStore('events, authorizations and rate limit together', (store) => {
  let served: EventsServer;
  let baseUrl: string;
  let app: { clientId: string; clientSecret: string };
  /** What Mara's tokens are made with. */
  let mara: Octokit16;

  before(async () => {
    served = await EventsServer.boot(
      { demo: DEMO },
      { storage: await store.fresh(), plugins: [{ plugin: authorizations }, { plugin: ratelimit }] },
    );
    baseUrl = await served.server.listen();
    await served.user('mara');
    mara = new Octokit16({
      baseUrl,
      log: silent,
      auth: { username: 'mara', password: 'password of mara', on2fa: () => Promise.reject(new Error('2fa')) },
    });
    const made = await served.server.command([
      'apps',
      'create',
      'Bot',
      '--url',
      'https://a.example',
      '--json',
    ]);
    app = JSON.parse(made.stdout) as typeof app;
  });
  after(() => served[Symbol.asyncDispose]());

  async function withToken(note: string, scopes: string[]): Promise<Octokit> {
    const { data } = await mara.oauthAuthorizations.createAuthorization({ note, scopes });
    return new Octokit({ baseUrl, log: silent, auth: data.token });
  }

  const used = async (client: Octokit): Promise<number> => (await client.rest.rateLimit.get()).data.rate.used;

  test('a token issued to one client shows its user private events in the other', async () => {
    const client = await withToken('reads private events', ['repo']);
    const { data, headers } = await client.rest.activity.listOrgEventsForAuthenticatedUser({
      username: 'mara',
      org: 'harbor-labs',
    });
    assert.ok(data.some((event) => !event.public));
    assert.equal(headers['x-ratelimit-limit'], '5000');
  });

  test('a token without scopes shows what is public, and is no key to the dashboard', async () => {
    const client = await withToken('reads public events', []);
    const { data } = await client.rest.activity.listEventsForAuthenticatedUser({ username: 'mara' });
    assert.ok(data.length > 0 && data.every((event) => event.public));
    const dashboard = { username: 'mara', org: 'harbor-labs' };
    await assert.rejects(client.rest.activity.listOrgEventsForAuthenticatedUser(dashboard), { status: 404 });
  });

  test('polls that find nothing new count nothing, and all tokens of a user count together', async () => {
    const [one, other] = [await withToken('polls', ['repo']), await withToken('looks', [])];
    const { headers } = await one.rest.activity.listReceivedEventsForUser({ username: 'mara' });
    const before = await used(other);
    for (let poll = 0; poll < 5; poll += 1) {
      const unchanged = one.rest.activity.listReceivedEventsForUser({
        username: 'mara',
        headers: { 'if-none-match': headers.etag ?? '' },
      });
      await assert.rejects(unchanged, (error: { status: number; response: { headers: object } }) => {
        assert.equal(error.status, 304);
        const shown = error.response.headers as Record<string, string>;
        assert.equal(shown['x-ratelimit-used'], String(before));
        assert.equal(shown['content-type'], undefined);
        return true;
      });
    }
    assert.equal(await used(other), before);
    await one.rest.activity.listPublicEvents();
    assert.equal(await used(other), before + 1);
  });

  test('a token that was deleted is refused at the next poll', async () => {
    const { data } = await mara.oauthAuthorizations.createAuthorization({
      note: 'short-lived',
      scopes: ['repo'],
    });
    const client = new Octokit({ baseUrl, log: silent, auth: data.token });
    await client.rest.activity.listPublicEvents();
    await mara.oauthAuthorizations.deleteAuthorization({ authorization_id: data.id });
    await assert.rejects(client.rest.activity.listPublicEvents(), {
      status: 401,
      message: /^Bad credentials/,
    });
  });

  test('an application that names itself in the query has a limit of its own', async () => {
    const { clientId, clientSecret } = app;
    const bot = new Octokit16({ baseUrl, log: silent, auth: { clientId, clientSecret } });
    const { headers } = await bot.request('GET /events');
    assert.equal(headers['x-ratelimit-limit'], '5000');
    assert.equal(headers['cache-control']?.startsWith('private'), true);
    const { data } = await bot.request('GET /rate_limit');
    assert.equal((data as { rate: { used: number } }).rate.used, 1);
    const wrong = new Octokit16({ baseUrl, log: silent, auth: { clientId, clientSecret: 'x'.repeat(40) } });
    await assert.rejects(wrong.request('GET /events'), { status: 401 });
  });

  test('an application in the query is let in where no credential is needed alone', async () => {
    const query = `client_id=${app.clientId}&client_secret=${app.clientSecret}`;
    assert.equal((await served.get(`/users/mara/events/orgs/harbor-labs?${query}`)).status, 401);
    assert.equal((await served.get(`/applications/${app.clientId}/tokens/x?${query}`)).status, 401);
    const page = await served.get(`/events?${query}`);
    assert.equal(page.status, 200);
    assert.ok(!JSON.stringify(page.headers).includes(app.clientSecret));
  });
});
