/** The audit records of requests: changes of the management, and refused logins and keys. */
import {
  principalId,
  whenAnswered,
  type Audit,
  type Logger,
  type Principal,
  type Reply,
  type Request,
} from 'plugboard/sdk';

/** Milliseconds for which equal refusals of an address are counted as one record. */
const COUNTED = 60_000;
/** Distinct refusals counted at a time; further ones are not recorded. */
const CAPACITY = 10_000;
const LONGEST = 300;
const MOST_FIELDS = 30;

interface Counted {
  readonly timer: NodeJS.Timeout;
  more: number;
}

export class Trail {
  readonly #audit: Audit;
  readonly #log: Pick<Logger, 'error'>;
  readonly #counted = new Map<string, Counted>();
  readonly #writes = new Set<Promise<void>>();

  constructor(audit: Audit, log: Pick<Logger, 'error'>) {
    this.#audit = audit;
    this.#log = log;
  }

  /** Resolves when the intent is durable; the result follows the answer. Throws, before any change, if it cannot. */
  async change(request: Request, reply: Reply, principal: Principal): Promise<void> {
    const about = {
      action: `${request.method} ${request.routeOptions.url ?? ''}`,
      actor: principalId(principal),
      ...nameOf(principal),
      address: request.ip,
      target: request.path.slice(0, LONGEST),
      request: request.id,
    };
    await this.#audit.record({ ...about, outcome: 'started' });
    whenAnswered(reply, () => {
      const { statusCode } = reply;
      const outcome = statusCode >= 500 ? 'failed' : statusCode >= 400 ? 'refused' : 'done';
      const reason = statusCode >= 400 ? { reason: String(statusCode) } : {};
      this.#write({ ...about, outcome, ...reason, ...fieldsOf(request.body) });
    });
  }

  loggedIn(login: string, address: string): void {
    this.#write({ action: 'login', outcome: 'done', actor: login, address });
  }

  /** A refused login, lock, or use of a revoked key: recorded at once, repetitions within a minute as one more. */
  refused(action: string, reason: string, actor: string, address: string): void {
    const event = { action, outcome: 'refused', reason, actor, address } as const;
    const key = JSON.stringify([action, reason, actor, address]);
    const counted = this.#counted.get(key);
    if (counted !== undefined) {
      counted.more += 1;
      return;
    }
    if (this.#counted.size >= CAPACITY) return;
    const timer = setTimeout(() => this.#flush(key, event), COUNTED);
    timer.unref();
    this.#counted.set(key, { timer, more: 0 });
    this.#write(event);
  }

  /** Waits for pending records. */
  async close(): Promise<void> {
    for (const { timer } of this.#counted.values()) clearTimeout(timer);
    await Promise.all(this.#writes);
  }

  #flush(key: string, event: Parameters<Audit['record']>[0]): void {
    const more = this.#counted.get(key)?.more ?? 0;
    this.#counted.delete(key);
    if (more > 0) this.#write({ ...event, count: more });
  }

  #write(event: Parameters<Audit['record']>[0]): void {
    const write = this.#audit
      .record(event)
      .catch((error: unknown) => this.#log.error({ err: error }, 'could not write an audit record'))
      .finally(() => this.#writes.delete(write));
    this.#writes.add(write);
  }
}

function nameOf(principal: Principal): { name?: string } {
  if (principal.kind === 'key') return { name: principal.name };
  return principal.kind === 'session' && principal.user !== undefined ? { name: principal.user.login } : {};
}

function fieldsOf(body: unknown): { fields?: readonly string[] } {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return {};
  const fields = Object.keys(body).slice(0, MOST_FIELDS);
  return fields.length === 0 ? {} : { fields: fields.map((field) => field.slice(0, 100)) };
}
