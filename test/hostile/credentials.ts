/** What opens the routes of the corpus. */
import { request } from 'undici';
import type { CorpusCase } from './corpus.js';

const APP = { name: 'hostile', url: 'https://app.example' };
export const FIRST_KEY = `pb_${'hostile'.repeat(6)}`;

export interface Credential {
  readonly authorization: string;
  /** The application's client id. */
  readonly app: string;
}

/** What opens routes: an API key of each scope, a user and an application. */
export class Credentials {
  readonly #url: string;
  readonly #made = new Map<string, Promise<Credential>>();

  constructor(url: string) {
    this.#url = url;
  }

  /** Null where a case needs none. */
  async of({ scope, as }: CorpusCase): Promise<Credential | null> {
    if (as !== undefined) return this.#once(as, () => (as === 'user' ? this.#user() : this.#app()));
    return scope === undefined ? null : this.#once(scope, () => this.#key(scope));
  }

  #once(name: string, make: () => Promise<Credential>): Promise<Credential> {
    const made = this.#made.get(name) ?? make();
    this.#made.set(name, made);
    return made;
  }

  async #key(scope: string): Promise<Credential> {
    const { key } = await this.#post('/api/keys', { name: scope, scopes: scope.split(' ') });
    if (key === undefined) throw new Error(`no key for ${scope}`);
    return { authorization: `Bearer ${key}`, app: '' };
  }

  async #user(): Promise<Credential> {
    const password = 'correct horse battery';
    await this.#post('/api/users', { login: 'mallory', password });
    return { authorization: basic('mallory', password), app: await this.#clientId() };
  }

  async #app(): Promise<Credential> {
    const { clientId = '', clientSecret = '' } = await this.#post('/api/apps', APP);
    return { authorization: basic(clientId, clientSecret), app: clientId };
  }

  async #clientId(): Promise<string> {
    return (await this.#once('app', () => this.#app())).app;
  }

  async #post(path: string, body: object): Promise<Record<string, string | undefined>> {
    const answer = await request(this.#url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${FIRST_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (answer.statusCode !== 201) throw new Error(`${path}: ${await answer.body.text()}`);
    return (await answer.body.json()) as Record<string, string | undefined>;
  }
}

function basic(login: string, password: string): string {
  return `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`;
}
