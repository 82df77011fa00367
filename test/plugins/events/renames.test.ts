/** A repository that was renamed: its old name leads to its feeds. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Octokit } from '@octokit/rest';
import { eachStore } from '../../support/stores.js';
import { EventsServer } from './support/boot.js';

eachStore('a renamed repository', (store) => {
  let served: EventsServer;
  let url: string;
  let ann: { authorization: string };

  before(async () => {
    served = await EventsServer.boot({}, { storage: await store.fresh() });
    url = await served.server.listen();
    ann = await served.user('ann');
    await served.directory({
      put: {
        users: [{ id: 1, login: 'ann' }],
        repositories: [
          { id: 20, name: 'ann/old' },
          { id: 21, name: 'ann/secret', private: true },
        ],
      },
    });
    await served.publish({ id: 'e1', type: 'PushEvent', actor: { login: 'ann' }, repo: { name: 'ann/old' } });
    await served.post('/api/events/issues', {
      repository: 'ann/old',
      events: [{ id: 7, event: 'closed', created_at: new Date().toISOString() }],
    });
    await served.directory({ put: { repositories: [{ id: 20, name: 'ann/new' }] } });
    await served.directory({ put: { repositories: [{ id: 21, name: 'ann/hidden', private: true }] } });
  });
  after(() => served[Symbol.asyncDispose]());

  test('answers 301 under its old name, in any case, with where it is', async () => {
    for (const [from, to] of [
      ['/repos/ann/old/events', '/repositories/20/events'],
      ['/repos/Ann/OLD/events?page=2&per_page=5', '/repositories/20/events?page=2'],
      ['/repos/ann/old/issues/events', '/repositories/20/issues/events'],
      ['/networks/ann/old/events', '/networks/ann/new/events'],
    ] as const) {
      const answer = await served.get(from, { host: '127.0.0.1:8080' });
      assert.equal(answer.status, 301, from);
      const address = `http://127.0.0.1:8080${to}`;
      assert.equal(answer.headers['location'], address);
      assert.deepEqual(answer.json(), {
        message: 'Moved Permanently',
        url: address,
        documentation_url: 'https://developer.github.com/v3/#http-redirects',
      });
    }
  });

  test('is read by its number, and by a client that follows', async () => {
    assert.deepEqual(await served.ids('/repositories/20/events'), ['e1']);
    assert.deepEqual(
      (await served.get('/repositories/20/issues/events')).json<{ id: number }[]>().map(({ id }) => id),
      [7],
    );
    const octokit = new Octokit({ baseUrl: url });
    const { data } = await octokit.rest.activity.listRepoEvents({ owner: 'ann', repo: 'old' });
    assert.deepEqual(
      data.map(({ id }) => id),
      ['e1'],
    );
  });

  test('is a 404 by its old name and its number for those who may not read it', async () => {
    for (const path of ['/repos/ann/secret/events', '/repositories/21/events', '/networks/ann/secret/events'])
      assert.equal((await served.get(path)).status, 404, path);
    assert.equal((await served.get('/repos/ann/secret/events', ann)).status, 301);
    assert.equal((await served.get('/repositories/21/events', ann)).status, 200);
  });

  test('leaves numbers that are none, and unknown ones, a 404', async () => {
    for (const id of ['0', '22', '-1', '20.0', 'x', '9'.repeat(30)])
      assert.equal((await served.get(`/repositories/${id}/events`)).status, 404, id);
  });

  test('gives its old name up to a repository that takes it, and all of them when it is removed', async () => {
    await served.directory({ put: { repositories: [{ id: 30, name: 'ann/old' }] } });
    assert.deepEqual(await served.ids('/repos/ann/old/events'), []);
    await served.directory({ remove: { repositories: ['ann/old', 'ann/new'] } });
    assert.equal((await served.get('/repos/ann/old/events')).status, 404);
  });
});
