/** Clients that ask without a pause, each request on a new connection or on one that is kept, and note what goes wrong. */
import { Agent as HttpAgent, get } from 'node:http';
import { Agent as HttpsAgent, get as getSecurely } from 'node:https';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

interface Client {
  /** The answer to its last request. */
  answer: unknown;
  readonly ended: Promise<void>;
}

export class RestlessClients<T> implements AsyncDisposable {
  /** Refused and broken connections, and statuses other than 200. */
  readonly faults: string[] = [];
  readonly #clients: Client[];
  #ending = false;

  /** `ca` for https. */
  constructor(url: string, ca?: Buffer) {
    this.#clients = [false, false, true, true].map((keepAlive) => {
      const client: Client = {
        answer: undefined,
        ended: Promise.resolve().then(() => this.#ask(client, url, keepAlive, ca)),
      };
      return client;
    });
  }

  /** Whether the last answer of each is such. */
  all(is: (answer: T) => boolean): boolean {
    return this.#clients.every(({ answer }) => answer !== undefined && is(answer as T));
  }

  async end(): Promise<void> {
    this.#ending = true;
    await Promise.all(this.#clients.map(({ ended }) => ended));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.end();
  }

  async #ask(client: Client, url: string, keepAlive: boolean, ca: Buffer | undefined): Promise<void> {
    const options = { keepAlive, maxSockets: 1 };
    const agent = ca === undefined ? new HttpAgent(options) : new HttpsAgent({ ...options, ca });
    while (!this.#ending) {
      try {
        client.answer = await answerOf(url, agent);
      } catch (error) {
        this.faults.push((error as Error).message);
      }
      await sleep(3);
    }
    agent.destroy();
  }
}

function answerOf(url: string, agent: HttpAgent): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const send = url.startsWith('https:') ? getSecurely : get;
    send(url, { agent }, (response) => {
      if (response.statusCode === 200) json(response).then(resolve, reject);
      else reject(new Error(`status ${response.statusCode}`));
    }).on('error', reject);
  });
}
