/** Clients that go on through every fault, and note what they ask and are told. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { History, Outcome } from './history.js';
import type { Instances } from './instances.js';

/** Milliseconds after which a client gives up: what became of its request is unknown. */
const PATIENCE = 10_000;
/** Between two requests of one client. */
const PAUSE = 20;
const REGISTERS = 4;
/** Requests of the limited key in a window. */
export const LIMIT = 50;
export const LIMITED = 'limited';

interface Told {
  readonly outcome: Outcome;
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

export class Clients {
  readonly #instances: Instances;
  readonly #history: History;
  #stopping = false;
  #turn = 0;

  constructor(instances: Instances, history: History) {
    this.#instances = instances;
    this.#history = history;
  }

  /** Makes what the clients need, and starts them. `stop` of the answer resolves when the last has its answer. */
  async start(): Promise<{ stop(): Promise<void> }> {
    for (let at = 0; at < REGISTERS; at++)
      await this.#must('POST', '/data/directors', { name: `register ${at}`, born: 0 });
    const { key } = (await this.#must('POST', '/api/keys', { name: LIMITED, scopes: ['data:read'] })) as {
      key: string;
    };
    const running = [
      ...Array.from({ length: 3 }, (_, client) => this.#insertRows(client)),
      ...Array.from({ length: REGISTERS }, (_, at) => this.#writeRegister(`register ${at}`)),
      ...Array.from({ length: REGISTERS }, (_, at) => this.#readRegister(`register ${at}`)),
      ...Array.from({ length: 2 }, (_, client) => this.#makeAccounts(client)),
      this.#useLimited(key),
      this.#useLimited(key),
      this.#revokeKeys(),
    ];
    return {
      stop: async () => {
        this.#stopping = true;
        await Promise.all(running);
      },
    };
  }

  /** What is there when all is healed. */
  async readFinals(): Promise<void> {
    const rows: string[] = [];
    for (let page = 0, more = true; more; page++) {
      const path = `/data/directors?name=like.row*&select=name&order=id&limit=500&offset=${page * 500}`;
      const found = (await this.#must('GET', path)) as { name: string }[];
      rows.push(...found.map(({ name }) => name));
      more = found.length === 500;
    }
    await this.#note('final rows', '', () => ({ outcome: 'ok', result: rows }));
    const accounts: Record<string, number> = {};
    let path: string | null = '/v2/core/accounts?limit=20';
    while (path !== null) {
      const { data, next_page_url: next } = (await this.#must('GET', path)) as {
        data: { contact_email: string }[];
        next_page_url: string | null;
      };
      for (const { contact_email: email } of data) {
        const subject = email.split('@')[0] ?? '';
        accounts[subject] = (accounts[subject] ?? 0) + 1;
      }
      path = next === null ? null : next.slice(next.indexOf('/v2/'));
    }
    await this.#note('final accounts', '', () => ({ outcome: 'ok', result: accounts }));
  }

  async #insertRows(client: number): Promise<void> {
    await this.#repeat(async (at, instance) => {
      const name = `row ${client}-${at}`;
      await this.#history.note({ kind: 'insert row', subject: name, instance }, () =>
        this.#ask(instance, 'POST', '/data/directors', { name }),
      );
    });
  }

  async #writeRegister(subject: string): Promise<void> {
    await this.#repeat(async (at, instance) => {
      const value = at + 1;
      await this.#history.note({ kind: 'write register', subject, value, instance }, () =>
        this.#ask(instance, 'PATCH', `/data/directors?name=eq.${encodeURIComponent(subject)}`, {
          born: value,
        }),
      );
    });
  }

  async #readRegister(subject: string): Promise<void> {
    await this.#repeat(async (_, instance) => {
      await this.#history.note({ kind: 'read register', subject, instance }, async () => {
        const path = `/data/directors?name=eq.${encodeURIComponent(subject)}&select=born`;
        const { outcome, body } = await this.#ask(instance, 'GET', path);
        return { outcome, result: outcome === 'ok' ? (body as { born: number }[])[0]?.born : undefined };
      });
    });
  }

  /** The same key through two instances at once, and once more. */
  async #makeAccounts(client: number): Promise<void> {
    await this.#repeat(async (at) => {
      const subject = `key${client}x${at}`;
      const make = (): Promise<unknown> => {
        const instance = this.#next();
        return this.#history.note({ kind: 'make account', subject, instance }, async () => {
          const account = { contact_email: `${subject}@example.com`, configuration: { customer: {} } };
          const { outcome, body } = await this.#ask(instance, 'POST', '/v2/core/accounts', account, {
            'idempotency-key': subject,
          });
          // A refusal of one request says nothing of the others with its key.
          return {
            outcome: outcome === 'ok' ? 'ok' : 'unknown',
            result: (body as { id?: string } | undefined)?.id,
          };
        });
      };
      await Promise.all([make(), make()]);
      await make();
    });
  }

  async #useLimited(key: string): Promise<void> {
    await this.#repeat(async (_, instance) => {
      await this.#history.note({ kind: 'limited', subject: LIMITED, value: LIMIT, instance }, async () => {
        const { outcome, headers } = await this.#ask(instance, 'GET', '/data/films?limit=1', undefined, {
          authorization: `Bearer ${key}`,
        });
        return { outcome, result: headers.get('x-ratelimit-reset') };
      });
    });
  }

  /** A key is made, used through all instances, revoked through one, and used on for longer than it may live. */
  async #revokeKeys(): Promise<void> {
    await this.#repeat(async (at, instance) => {
      const subject = `revoked ${at}`;
      const made = await this.#history.note({ kind: 'make key', subject, instance }, async () => {
        const { outcome, body } = await this.#ask(instance, 'POST', '/api/keys', {
          name: subject,
          scopes: ['data:read'],
        });
        return { outcome, result: body };
      });
      if (made.outcome !== 'ok') return;
      const { id, key } = made.result as { id: string; key: string };
      const use = async (until: number): Promise<void> => {
        while (Date.now() < until)
          await Promise.all(
            this.#instances.all.map((each) =>
              this.#history.note({ kind: 'use key', subject, instance: each }, () =>
                this.#ask(each, 'GET', '/data/films?limit=1', undefined, { authorization: `Bearer ${key}` }),
              ),
            ),
          ).then(() => sleep(PAUSE * 5));
      };
      await use(Date.now() + 2_000);
      const revoking = this.#next();
      await this.#history.note({ kind: 'revoke key', subject, instance: revoking }, () =>
        this.#ask(revoking, 'DELETE', `/api/keys/${id}`),
      );
      await use(Date.now() + 8_000);
    });
  }

  async #repeat(work: (at: number, instance: number) => Promise<void>): Promise<void> {
    for (let at = 0; !this.#stopping; at++) {
      await work(at, this.#next());
      await sleep(PAUSE);
    }
  }

  #next(): number {
    return this.#turn++ % this.#instances.all.length;
  }

  async #ask(
    instance: number,
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Told> {
    const answer = await fetch(`${this.#instances.url(instance)}${path}`, {
      method,
      signal: AbortSignal.timeout(PATIENCE),
      headers: {
        authorization: `Bearer ${this.#instances.key}`,
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const { status } = answer;
    const outcome = status < 300 ? 'ok' : status < 500 ? 'fail' : 'unknown';
    return {
      outcome,
      status,
      headers: answer.headers,
      body: text === '' ? undefined : (JSON.parse(text) as unknown),
    };
  }

  async #must(method: string, path: string, body?: object): Promise<unknown> {
    const told = await this.#ask(0, method, path, body);
    if (told.outcome !== 'ok')
      throw new Error(`${method} ${path}: ${told.status} ${JSON.stringify(told.body)}`);
    return told.body;
  }

  async #note(
    kind: string,
    subject: string,
    result: () => { outcome: Outcome; result: unknown },
  ): Promise<void> {
    await this.#history.note({ kind, subject, instance: 0 }, async () => result());
  }
}
