/** `plugboard listen`: shows the changes of a server as they happen, and forwards them, from wherever it is reached. */
import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from '../../kernel/sdk/plugin/command.js';
import type { ExitCode } from './exit-code.js';
import { parseWords } from './words.js';

interface Delivery {
  readonly id: string;
  readonly type: string;
  readonly subject: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

const OPTIONS = {
  server: { type: 'string' },
  key: { type: 'string' },
  'forward-to': { type: 'string' },
  type: { type: 'string', multiple: true },
  resume: { type: 'string' },
} as const;
const AGAIN = 1_000;
const FORWARD_TIMEOUT = 30_000;

export async function listenCommand(words: readonly string[]): Promise<ExitCode> {
  const { values } = parseWords(words, { options: OPTIONS, most: 0 });
  const key = values.key ?? process.env['PLUGBOARD_KEY'];
  if (key === undefined)
    throw new UserError('give a key with the scope changes: --key KEY, or PLUGBOARD_KEY');
  const forward = values['forward-to'];
  if (forward !== undefined && !URL.canParse(forward))
    throw new UserError(
      `--forward-to must be a whole URL, such as http://localhost:3000/hook, and not "${forward}"`,
    );
  const ending = new AbortController();
  const end = (): void => ending.abort();
  process.once('SIGINT', end).once('SIGTERM', end);
  const server = new Server(values.server ?? 'http://127.0.0.1:8080', key, ending.signal);
  try {
    const id = values.resume ?? (await server.listen(values.type ?? ['*']));
    await follow(server, id, forward, ending.signal);
    // One stopped by hand does not come back; a killed one may, with --resume.
    await server.leave(id);
    return 0;
  } finally {
    process.removeListener('SIGINT', end).removeListener('SIGTERM', end);
  }
}

async function follow(
  server: Server,
  id: string,
  forward: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  let isAway = false;
  while (!signal.aborted) {
    const deliveries = await server.pending(id);
    if (deliveries === undefined) {
      if (!isAway && !signal.aborted) console.error('the server does not answer; trying again');
      isAway = true;
      await sleep(AGAIN, undefined, { signal }).catch(() => {});
      continue;
    }
    isAway = false;
    for (const delivery of deliveries) {
      if (signal.aborted) return;
      const result = forward === undefined ? '' : ` -> ${await forwarded(delivery, forward)}`;
      console.log(`${new Date().toISOString()} ${delivery.type} ${delivery.subject}${result}`);
      if (forward === undefined) console.log(delivery.body);
      await server.confirm(id, delivery.id);
    }
  }
}

/** Unchanged, byte by byte; a receiver's failure is printed, not retried. */
async function forwarded({ headers, body }: Delivery, to: string): Promise<string> {
  try {
    const timeout = AbortSignal.timeout(FORWARD_TIMEOUT);
    const answer = await fetch(to, { method: 'POST', headers, body, redirect: 'manual', signal: timeout });
    await answer.body?.cancel();
    return String(answer.status);
  } catch (error) {
    const { message, cause } = error as Error;
    return cause instanceof Error && cause.message !== '' ? cause.message : message;
  }
}

class Server {
  readonly #url: string;
  readonly #key: string;
  readonly #signal: AbortSignal;

  constructor(url: string, key: string, signal: AbortSignal) {
    if (!/^https?:/.test(url) || !URL.canParse(url))
      throw new UserError(`--server must be a URL, and not "${url}"`);
    this.#url = `${url.replace(/\/$/, '')}/api/changes`;
    this.#key = key;
    this.#signal = signal;
  }

  async listen(types: readonly string[]): Promise<string> {
    const answer = await this.#call('POST', '/listeners', { types });
    if (answer === undefined) throw new UserError(`no server answers at ${this.#url}`);
    const { id, secret } = answer as { id: string; secret: string };
    console.log(`listening; the signing secret is ${secret}\nafter a crash: --resume ${id}`);
    return id;
  }

  /** Undefined while the server is away. */
  async pending(id: string): Promise<readonly Delivery[] | undefined> {
    const answer = await this.#call('GET', `/listeners/${encodeURIComponent(id)}/deliveries`);
    return (answer as { deliveries: Delivery[] } | undefined)?.deliveries;
  }

  /** Unconfirmed changes are delivered again. */
  async confirm(id: string, delivery: string): Promise<void> {
    await this.#call('POST', `/listeners/${encodeURIComponent(id)}/confirm`, { deliveries: [delivery] });
  }

  async leave(id: string): Promise<void> {
    const headers = { authorization: `Bearer ${this.#key}` };
    const url = `${this.#url}/endpoints/${encodeURIComponent(id)}`;
    await fetch(url, { method: 'DELETE', headers }).catch(() => {});
  }

  /** Undefined if the server is away or about to stop. Throws for errors that a retry does not fix. */
  async #call(method: string, path: string, body?: object): Promise<unknown> {
    const headers = {
      authorization: `Bearer ${this.#key}`,
      ...(body && { 'content-type': 'application/json' }),
    };
    const content = body && { body: JSON.stringify(body) };
    let answer: Response;
    let text: string;
    try {
      answer = await fetch(this.#url + path, { method, headers, ...content, signal: this.#signal });
      text = await answer.text();
    } catch {
      return undefined;
    }
    if (answer.ok) return text === '' ? null : (JSON.parse(text) as unknown);
    if (answer.status >= 500 && !text.includes('transactions_missing')) return undefined;
    throw new UserError(`the server answered ${answer.status}: ${text.slice(0, 500)}`);
  }
}
