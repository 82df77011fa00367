/** The contract of plugins, and the token for other plugins. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EVENT_FEED, isServiceError } from 'plugboard/sdk';
import { bootTest, pluginContract } from 'plugboard/testing';
import events from '../../../plugins/events/index.js';
import { DEMO, EventsServer } from './support/boot.js';

pluginContract(events, { config: { demo: DEMO, pollInterval: 30 } });

test('another plugin publishes through the token, and hears which field is wrong', async () => {
  await using served = await EventsServer.boot({ demo: DEMO });
  const feed = served.server.service(EVENT_FEED);
  const event = { type: 'PushEvent', actor: { login: 'mara' }, repo: { name: 'harbor-labs/tides' } };
  const { ids, stored } = await feed.publish([event, { ...event, id: 'mine' }]);
  assert.deepEqual([stored, ids[1]], [2, 'mine']);
  assert.equal((await feed.publish([{ ...event, id: 'mine' }])).stored, 0);
  assert.deepEqual((await served.ids('/events')).slice(0, 2).toSorted(), [...ids].toSorted());
  await assert.rejects(feed.publish([event, { ...event, actor: { login: 'nobody' } }]), (error) => {
    assert.ok(isServiceError(error));
    assert.deepEqual(
      [error.status, (error.fields.errors as { field: string }[])[0]?.field],
      [422, 'events.1.actor.login'],
    );
    return true;
  });
});

test('the demo is loaded once, whatever was changed since', async () => {
  await using served = await EventsServer.boot({ demo: DEMO });
  const before = await served.ids('/events');
  await served.directory({ remove: { users: ['lin'] } });
  assert.equal((await served.get('/users/lin/events')).status, 404);
  assert.deepEqual(await served.ids('/events'), before);
});

test('under a prefix records and links lead to it', async () => {
  await using server = await bootTest({
    plugins: [{ plugin: events, prefix: '/feeds', config: { demo: DEMO } }],
  });
  const authorization = `Bearer ${await server.key('events:write')}`;
  const event = { type: 'PushEvent', actor: { login: 'mara' }, repo: { name: 'jonas/tides' } };
  const payload = { events: Array.from({ length: 31 }, () => event) };
  await server.inject({ method: 'POST', url: '/feeds/api/events', headers: { authorization }, payload });
  const page = await server.inject({
    url: '/feeds/repos/jonas/tides/events',
    headers: { host: 'localhost' },
  });
  assert.equal(
    page.json<{ repo: { url: string } }[]>()[0]?.repo.url,
    'http://localhost/feeds/repos/jonas/tides',
  );
  assert.match(
    String(page.headers.link),
    /<http:\/\/localhost\/feeds\/repos\/jonas\/tides\/events\?page=2>; rel="next"/,
  );
});
