/** The feeds as `@octokit/rest`, unmodified, reads them over a socket. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Octokit } from '@octokit/rest';
import { DEMO, EventsServer } from './support/boot.js';

let served: EventsServer;
let baseUrl: string;
let anonymous: Octokit;
let mara: Octokit;

before(async () => {
  served = await EventsServer.boot({ demo: DEMO });
  baseUrl = await served.server.listen();
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  anonymous = new Octokit({ baseUrl, log });
  mara = new Octokit({ baseUrl, log });
  const { authorization } = await served.user('mara');
  mara.hook.before('request', (options) => {
    options.headers['authorization'] = authorization;
  });
});
after(() => served[Symbol.asyncDispose]());

test('every method of the feeds gets its feed', async () => {
  const tides = { owner: 'harbor-labs', repo: 'tides' };
  const user = { username: 'mara' };
  const { activity, issues } = mara.rest;
  const lists = await Promise.all([
    activity.listPublicEvents(),
    activity.listRepoEvents(tides),
    activity.listPublicEventsForRepoNetwork(tides),
    activity.listPublicOrgEvents({ org: 'harbor-labs' }),
    activity.listReceivedEventsForUser(user),
    activity.listReceivedPublicEventsForUser(user),
    activity.listEventsForAuthenticatedUser(user),
    activity.listPublicEventsForUser(user),
    activity.listOrgEventsForAuthenticatedUser({ ...user, org: 'harbor-labs' }),
  ]);
  assert.deepEqual(
    lists.map(({ status, data }) => [status, data.length]),
    [
      [200, 6],
      [200, 5],
      [200, 6],
      [200, 5],
      [200, 2],
      [200, 2],
      [200, 3],
      [200, 3],
      [200, 6],
    ],
  );
  const { data } = await issues.listEventsForRepo(tides);
  assert.deepEqual(
    data.map(({ event }) => event),
    ['closed', 'labeled'],
  );
});

test('an API key is an auth of Octokit', async () => {
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const auth = await served.server.key('events');
  const client = new Octokit({ baseUrl, log, auth });
  assert.equal((await client.rest.activity.listPublicEvents()).status, 200);
});

test('paginate walks the pages to their end', async () => {
  const events = Array.from({ length: 100 }, (_, at) => ({
    id: `walk-${at}`,
    type: 'PushEvent',
    actor: { login: 'jonas' },
    repo: { name: 'jonas/tides' },
    created_at: new Date(Date.UTC(2026, 10, 1) + at * 1_000).toISOString(),
  }));
  await served.publish(...events);
  const walked = await anonymous.paginate(anonymous.rest.activity.listRepoEvents, {
    owner: 'jonas',
    repo: 'tides',
  });
  assert.deepEqual(
    walked.map(({ id }) => id),
    ['demo-4', ...events.map(({ id }) => id).toReversed()],
  );
});

test('a conditional request is a 304 for the client, until something happens', async () => {
  const first = await anonymous.rest.activity.listPublicEventsForUser({ username: 'lin' });
  const again = () =>
    anonymous.rest.activity.listPublicEventsForUser({
      username: 'lin',
      headers: { 'if-none-match': first.headers.etag ?? '' },
    });
  await assert.rejects(again(), { status: 304 });
  await served.publish({ type: 'WatchEvent', actor: { login: 'lin' }, repo: { name: 'harbor-labs/tides' } });
  assert.equal((await again()).data.length, 2);
});

test('what may not be seen is the NotFound of the client', async () => {
  await assert.rejects(anonymous.rest.activity.listRepoEvents({ owner: 'harbor-labs', repo: 'soundings' }), {
    status: 404,
    message: /^Not Found/,
  });
});

test('a route that the server does not have is the NotFound of the client', async () => {
  await assert.rejects(anonymous.rest.gists.list(), {
    status: 404,
    message: 'Not Found - https://developer.github.com/v3',
  });
});
