/** The events plugin on a server of its own, with the requests that its tests make. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { bootTest, type AnyPlugin, type BootTestOptions, type TestServer } from 'plugboard/testing';
import events from '../../../../plugins/events/index.js';
import { root } from '../../../support/fixtures.js';

export const DEMO = join(root, 'config/demo/events.json');

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number | string[] | undefined>>;
  readonly body: string;
  json<T = Listed[]>(): T;
}

export interface Listed {
  readonly id: string;
  readonly type: string;
  readonly public: boolean;
  readonly created_at: string;
  readonly actor: {
    readonly id: number;
    readonly login: string;
    readonly url?: string;
    readonly image_id?: string;
  };
  readonly repo: { readonly id: number; readonly name: string };
  readonly org?: { readonly login: string };
  readonly payload: Readonly<Record<string, unknown>>;
}

export class EventsServer implements AsyncDisposable {
  readonly server: TestServer;
  readonly #key: string;

  private constructor(server: TestServer, key: string) {
    this.server = server;
    this.#key = key;
  }

  static async boot(config: object = {}, options: BootTestOptions = {}): Promise<EventsServer> {
    const { plugins = [], ...others } = options;
    const plugin: AnyPlugin = events;
    const server = await bootTest({ ...others, plugins: [{ plugin, config }, ...plugins] });
    return new EventsServer(server, await server.key('events:write'));
  }

  async get(url: string, headers: Record<string, string> = {}): Promise<Answer> {
    return answer(await this.server.inject({ url, headers }));
  }

  async post(url: string, body: object | string): Promise<Answer> {
    const headers = { authorization: `Bearer ${this.#key}`, 'content-type': 'application/json' };
    return answer(await this.server.inject({ method: 'POST', url, headers, payload: body }));
  }

  /** Stores the events, which must be taken. */
  async publish(...list: object[]): Promise<{ ids: string[]; stored: number }> {
    const done = await this.post('/api/events', { events: list });
    assert.equal(done.status, 201, done.body);
    return done.json();
  }

  /** Changes the directory, which must be taken. */
  async directory(batch: object): Promise<void> {
    const done = await this.post('/api/events/directory', batch);
    assert.equal(done.status, 200, done.body);
  }

  /** The Basic credential of a new user. */
  async user(login: string): Promise<{ authorization: string }> {
    const password = `password of ${login}`;
    const { code, stderr } = await this.server.command(
      ['users', 'create', login, '--password-stdin'],
      password,
    );
    assert.equal(code, 0, stderr);
    return { authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}` };
  }

  async ids(url: string, headers: Record<string, string> = {}): Promise<string[]> {
    const got = await this.get(url, headers);
    assert.equal(got.status, 200, got.body);
    return got.json().map(({ id }) => id);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server.stop();
  }
}

function answer(response: Awaited<ReturnType<TestServer['inject']>>): Answer {
  return {
    status: response.statusCode,
    headers: response.headers,
    body: response.body,
    json: <T>() => response.json<T>(),
  };
}
