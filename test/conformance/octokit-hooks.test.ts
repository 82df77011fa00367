/** Hooks of repositories: `@octokit/rest` 22 manages them, `@octokit/webhooks` 14 receives, both unmodified over sockets. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { Octokit, type RestEndpointMethodTypes } from '@octokit/rest';
import { createNodeMiddleware, Webhooks } from '@octokit/webhooks';
import { bootTest, type TestServer } from 'plugboard/testing';
import authorizations from '../../plugins/authorizations/index.js';
import changes from '../../plugins/changes/index.js';
import events from '../../plugins/events/index.js';
import { eventually } from '../support/eventually.js';
import { receiver } from '../support/peers/receiver.js';
import { eachStore } from '../support/stores.js';

const SECRET = 'a secret of the hook';
const TOOLS = { owner: 'ann', repo: 'tools' };

type ListAnswer = RestEndpointMethodTypes['repos']['listWebhookDeliveries']['response'];

eachStore('hooks of repositories', (store) => {
  let server: TestServer;
  let baseUrl: string;
  let key: string;
  let ann: Octokit;
  let bob: Octokit;

  before(async () => {
    server = await bootTest({
      storage: await store.fresh(),
      plugins: [
        { plugin: changes, config: { poll: 10, allowPrivate: true } },
        { plugin: events },
        { plugin: authorizations },
      ],
    });
    baseUrl = await server.listen();
    key = await server.key('events:write');
    for (const login of ['ann', 'bob']) {
      const { code } = await server.command(
        ['users', 'create', login, '--password-stdin'],
        `password of ${login}`,
      );
      assert.equal(code, 0);
    }
    ann = client(await token('ann', 'admin:repo_hook'));
    bob = client(await token('bob', 'admin:repo_hook'));
    await post('/api/events/directory', {
      put: {
        repositories: [
          { id: 9, name: 'ann/tools' },
          { id: 10, name: 'ann/secrets', private: true },
        ],
      },
    });
  });
  after(() => server.stop());

  function client(auth?: string): Octokit {
    const log = { debug() {}, info() {}, warn() {}, error() {} };
    return new Octokit({ baseUrl, log, ...(auth !== undefined && { auth }) });
  }

  async function token(login: string, ...scopes: string[]): Promise<string> {
    const answer = await fetch(`${baseUrl}/authorizations`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${login}:password of ${login}`).toString('base64')}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ note: scopes.join(' ') || 'none', scopes }),
    });
    assert.equal(answer.status, 201);
    return ((await answer.json()) as { token: string }).token;
  }

  async function post(path: string, body: object): Promise<void> {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const answer = await fetch(baseUrl + path, { method: 'POST', headers, body: JSON.stringify(body) });
    assert.ok(answer.ok, await answer.text());
  }

  const publish = (type: string, payload: object, repo = 'ann/tools') =>
    post('/api/events', { events: [{ type, actor: { login: 'bob' }, repo: { name: repo }, payload }] });

  /** A server whose only logic is that of `@octokit/webhooks`. */
  async function octokitReceiver(secret: string) {
    const webhooks = new Webhooks({ secret });
    const got: { readonly name: string; readonly id: string; readonly payload: Record<string, unknown> }[] =
      [];
    webhooks.onAny(({ name, id, payload }) => void got.push({ name, id, payload: payload as never }));
    const receive = createNodeMiddleware(webhooks, { path: '/hook' });
    const listening = createServer((request, response) => void receive(request, response));
    await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
    return {
      url: `http://127.0.0.1:${(listening.address() as AddressInfo).port}/hook`,
      got,
      [Symbol.asyncDispose]: async () => {
        listening.closeAllConnections();
        await new Promise((resolve) => listening.close(resolve));
      },
    };
  }

  /** What an answer says, where a call is refused. */
  async function refusal(call: Promise<unknown>): Promise<[status: number, message: string]> {
    const error = (await call.then(
      () => assert.fail('it was to be refused'),
      (reason: unknown) => reason,
    )) as { status: number; message: string };
    return [error.status, error.message];
  }

  test('a hook is pinged when it is made, and told what happens in its repository', async () => {
    await using to = await octokitReceiver(SECRET);
    const {
      status,
      data: hook,
      headers,
    } = await ann.rest.repos.createWebhook({
      ...TOOLS,
      config: { url: to.url, content_type: 'json', secret: SECRET },
      events: ['push', 'issues'],
    });
    assert.equal(status, 201);
    assert.equal(headers.location, `${baseUrl}/repos/ann/tools/hooks/${hook.id}`);
    const { id: _, created_at: created, updated_at: updated, ...shown } = hook;
    assert.match(created, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    assert.equal(updated, created);
    assert.deepEqual(shown, {
      type: 'Repository',
      name: 'web',
      active: true,
      events: ['push', 'issues'],
      config: { url: to.url, content_type: 'json', insecure_ssl: '0', secret: '********' },
      url: headers.location,
      test_url: `${headers.location}/tests`,
      ping_url: `${headers.location}/pings`,
      deliveries_url: `${headers.location}/deliveries`,
      last_response: { code: null, status: 'unused', message: null },
    });
    await publish('PushEvent', {
      ref: 'refs/heads/main',
      before: '0'.repeat(40),
      head: 'a'.repeat(40),
      commits: [
        { sha: 'a'.repeat(40), message: '첫 커밋', author: { name: 'Bob', email: 'bob@example.com' } },
      ],
    });
    await publish('WatchEvent', { action: 'started' });
    await publish('IssuesEvent', { action: 'opened', issue: { number: 1 } });
    await publish('PushEvent', { ref: 'refs/heads/main' }, 'ann/secrets');
    await eventually(() => to.got.length === 3, 'the ping and both events arrive');
    const byName = new Map(to.got.map((one) => [one.name, one]));
    assert.deepEqual([...byName.keys()].toSorted(), ['issues', 'ping', 'push']);
    const { hook_id: hookId, zen, repository } = byName.get('ping')!.payload;
    assert.deepEqual([hookId, typeof zen], [hook.id, 'string']);
    assert.deepEqual(repository, {
      id: 9,
      name: 'tools',
      full_name: 'ann/tools',
      private: false,
      owner: { name: 'ann', login: 'ann' },
    });
    const push = byName.get('push')!;
    const commit = {
      id: 'a'.repeat(40),
      message: '첫 커밋',
      author: { name: 'Bob', email: 'bob@example.com' },
    };
    const { sender, ...payload } = push.payload;
    assert.deepEqual({ ...(sender as object), id: 0 }, { id: 0, login: 'bob', type: 'User' });
    assert.deepEqual(payload, {
      ref: 'refs/heads/main',
      before: '0'.repeat(40),
      after: 'a'.repeat(40),
      head: 'a'.repeat(40),
      created: true,
      deleted: false,
      forced: false,
      base_ref: null,
      commits: [commit],
      head_commit: commit,
      pusher: { name: 'bob' },
      repository,
    });
    await eventually(async () => {
      const { data } = await ann.rest.repos.listWebhookDeliveries({ ...TOOLS, hook_id: hook.id });
      return data.some(({ guid, status_code: code }) => guid === push.id && code === 200);
    }, 'the delivery is listed');
    await ann.rest.repos.deleteWebhook({ ...TOOLS, hook_id: hook.id });
  });

  test('by default the payload comes as a form, and is signed only with a secret', async () => {
    await using to = await octokitReceiver(SECRET);
    await using raw = await receiver({
      parse: (body) => JSON.parse(new URLSearchParams(body).get('payload')!),
    });
    const hooks: number[] = [];
    for (const secret of [SECRET, undefined]) {
      const config = { url: raw.url, ...(secret !== undefined && { secret }) };
      const event = secret === undefined ? 'issues' : 'push';
      const { data } = await ann.rest.repos.createWebhook({ ...TOOLS, config, events: [event] });
      hooks.push(data.id);
    }
    await eventually(() => raw.received.length === 2, 'both are pinged');
    const [signed, plain] = hooks.map((id) =>
      raw.received.find(({ headers }) => headers['x-github-hook-id'] === String(id))!,
    );
    const { headers, body } = signed!;
    const webhooks = new Webhooks({ secret: SECRET });
    assert.equal(await webhooks.verify(body, String(headers['x-hub-signature-256'])), true);
    assert.match(String(headers['x-hub-signature']), /^sha1=[0-9a-f]{40}$/);
    assert.match(String(headers['user-agent']), /^GitHub-Hookshot\//);
    assert.deepEqual(
      ['content-type', 'x-github-event', 'x-github-hook-installation-target-id'].map((name) => headers[name]),
      ['application/x-www-form-urlencoded', 'ping', '9'],
    );
    assert.match(String(headers['x-github-delivery']), /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/);
    assert.deepEqual(
      Object.keys(plain!.headers).filter((name) => name.startsWith('x-hub')),
      [],
    );
    assert.deepEqual(to.got, []);
    for (const id of hooks) await ann.rest.repos.deleteWebhook({ ...TOOLS, hook_id: id });
  });

  test('a hook is changed, tested, pinged, redelivered to and deleted', async () => {
    await using to = await octokitReceiver('another secret');
    const { repos } = ann.rest;
    const { data: made } = await repos.createWebhook({ ...TOOLS, config: { url: to.url, secret: SECRET } });
    const hook = { ...TOOLS, hook_id: made.id };
    assert.deepEqual([made.events, made.config.content_type], [['push'], 'form']);
    const config = { content_type: 'json', secret: 'another secret' };
    const { data: configured } = await repos.updateWebhookConfigForRepo({ ...hook, ...config });
    assert.deepEqual(configured, {
      url: to.url,
      content_type: 'json',
      insecure_ssl: '0',
      secret: '********',
    });
    assert.deepEqual((await repos.getWebhookConfigForRepo(hook)).data, configured);
    const added = await repos.updateWebhook({ ...hook, add_events: ['issues'], remove_events: ['push'] });
    assert.deepEqual(added.data.events, ['issues']);
    await repos.testPushWebhook(hook);
    await repos.updateWebhook({ ...hook, events: ['*'] });
    await publish('PushEvent', { ref: 'refs/heads/main', size: 0 });
    await eventually(() => to.got.some(({ name }) => name === 'push'), 'the push arrives');
    await repos.testPushWebhook(hook);
    await eventually(() => to.got.filter(({ name }) => name === 'push').length === 2, 'so does the test');
    const pings = to.got.filter(({ name }) => name === 'ping').length;
    await repos.pingWebhook(hook);
    await eventually(() => to.got.filter(({ name }) => name === 'ping').length > pings, 'it is pinged');

    await eventually(async () => {
      const { data } = await repos.getWebhook(hook);
      return data.last_response.code === 200 && data.last_response.status === 'active';
    }, 'the hook says how the last one went');
    const [page] = [(await repos.listWebhookDeliveries({ ...hook, per_page: 2 })) as ListAnswer];
    assert.equal(page.data.length, 2);
    const cursor = /[?&]cursor=([^&>]+)[^>]*>; rel="next"/.exec(page.headers.link ?? '')?.[1];
    const next = await repos.listWebhookDeliveries({ ...hook, per_page: 100, cursor: cursor! });
    const all = [...page.data, ...next.data];
    assert.equal(new Set(all.map(({ id }) => id)).size, all.length);
    const push = all.find(({ event, status_code: code }) => event === 'push' && code === 200)!;
    const { data: one } = await repos.getWebhookDelivery({ ...hook, delivery_id: push.id });
    assert.equal((one.request.payload as { ref: string }).ref, 'refs/heads/main');
    assert.equal((one.request.headers as Record<string, string>)['x-github-event'], 'push');
    assert.ok(!JSON.stringify(one).includes('another secret'));
    assert.equal((await repos.redeliverWebhookDelivery({ ...hook, delivery_id: push.id })).status, 202);
    await eventually(
      () => to.got.filter(({ id }) => id === push.guid).length === 2,
      'it comes again with the same id',
    );
    await repos.updateWebhook({ ...hook, active: false });
    assert.equal((await repos.getWebhook(hook)).data.active, false);
    assert.deepEqual(
      (await repos.listWebhooks(TOOLS)).data.map(({ id, active }) => [id, active]),
      [[made.id, false]],
    );
    assert.equal((await repos.deleteWebhook(hook)).status, 204);
    assert.deepEqual(await refusal(repos.getWebhook(hook)).then(([status]) => status), 404);
    assert.deepEqual((await repos.listWebhooks(TOOLS)).data, []);
  });

  test('who does not manage the repository learns not even that it is there', async () => {
    const config = { url: 'https://example.com/hook' };
    const { data: made } = await ann.rest.repos.createWebhook({ ...TOOLS, config, active: false });
    const secrets = { owner: 'ann', repo: 'secrets' };
    for (const repository of [TOOLS, secrets, { owner: 'ann', repo: 'nothing' }]) {
      const [status, message] = await refusal(bob.rest.repos.listWebhooks(repository));
      assert.deepEqual([status, message.split(' - ')[0]], [404, 'Not Found']);
    }
    const reads = client(await token('ann', 'read:repo_hook'));
    assert.equal((await reads.rest.repos.listWebhooks(TOOLS)).data.length, 1);
    const hook = { ...TOOLS, hook_id: made.id };
    assert.deepEqual((await refusal(reads.rest.repos.deleteWebhook(hook)))[0], 404);
    assert.deepEqual((await refusal(client(await token('ann')).rest.repos.listWebhooks(TOOLS)))[0], 404);
    assert.deepEqual((await refusal(client().rest.repos.listWebhooks(TOOLS)))[0], 401);
    const headers = await client(await token('ann', 'gist'))
      .rest.repos.getWebhook(hook)
      .catch((error: { response: { headers: Record<string, string> } }) => error.response.headers);
    assert.equal(
      (headers as Record<string, string>)['x-accepted-oauth-scopes'],
      'admin:repo_hook, write:repo_hook, read:repo_hook, repo',
    );
    await post('/api/events/directory', {
      put: { collaborators: [{ repository: 'ann/tools', user: 'bob' }] },
    });
    assert.equal((await bob.rest.repos.listWebhooks(TOOLS)).data.length, 1);
    assert.equal((await client(key).rest.repos.listWebhooks(TOOLS)).data.length, 1);
    await ann.rest.repos.deleteWebhook(hook);
  });

  test('a hook that cannot be is refused in the words of this API', async () => {
    const { repos } = ann.rest;
    const make = (config: object, events = ['push']) =>
      refusal(repos.createWebhook({ ...TOOLS, config: config as { url: string }, events }));
    const url = 'https://example.com/hook';
    for (const [config, pattern] of [
      [{ url: 'ftp://example.com' }, /Validation Failed.*must begin with https/],
      [{ url: 'http://169.254.169.254/' }, /Validation Failed.*link-local/],
      [{ url: 'https://user:password@example.com/' }, /Validation Failed.*password/],
      [{}, /Validation Failed.*"config.url".*missing_field|missing_field.*config.url/],
      [{ url, content_type: 'xml' }, /Validation Failed.*config.content_type/],
      [{ url, insecure_ssl: '1' }, /Validation Failed.*config.insecure_ssl/],
    ] as const) {
      const [status, message] = await make(config);
      assert.equal(status, 422, message);
      assert.match(message, pattern);
    }
    assert.equal((await make({ url }, ['no event!']))[0], 422);
    const { data } = await repos.createWebhook({ ...TOOLS, config: { url }, active: false });
    assert.match((await make({ url }))[1], /Hook already exists on this repository/);
    const { data: other } = await repos.createWebhook({ ...TOOLS, config: { url }, events: ['issues'] });
    const hook = { ...TOOLS, hook_id: other.id };
    const [status, message] = await refusal(repos.updateWebhook({ ...hook, remove_events: ['issues'] }));
    assert.equal(status, 422, message);
    assert.equal((await refusal(repos.listWebhookDeliveries({ ...hook, cursor: 'x' })))[0], 422);
    assert.equal((await refusal(repos.getWebhookDelivery({ ...hook, delivery_id: 1 })))[0], 404);
    assert.equal((await refusal(repos.getWebhook({ ...TOOLS, hook_id: 1 })))[0], 404);
    await repos.deleteWebhook({ ...TOOLS, hook_id: data.id });
    await repos.deleteWebhook(hook);
  });

  test('hooks go with their repository', async () => {
    await post('/api/events/directory', { put: { repositories: [{ id: 11, name: 'ann/old' }] } });
    const old = { owner: 'ann', repo: 'old' };
    await ann.rest.repos.createWebhook({ ...old, config: { url: 'https://example.com/' }, active: false });
    await post('/api/events/directory', { remove: { repositories: ['ann/old'] } });
    await post('/api/events/directory', { put: { repositories: [{ id: 11, name: 'ann/old' }] } });
    assert.deepEqual((await ann.rest.repos.listWebhooks(old)).data, []);
  });
});
