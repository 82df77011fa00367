/** One observing plugin: calls its hooks so that neither their errors nor their slowness reach the work. */
import type { Hooks, Work, WorkEnd, WorkKind } from '../sdk/plugin/hooks.js';
import type { Logger } from '../sdk/plugin/logger.js';

/**
 * Hooks run on the event loop, so nothing can cut them short: one that takes more than a fourth of the time is left
 * alone for a while.
 */
const SHARE = 0.25;
/** Milliseconds of unused time that hooks may save up. */
const SAVED = 500;
/** Milliseconds. A call may be slow because of other processes: one per `FORGIVEN_EVERY` is ignored. */
const LONG = 20;
const FORGIVEN_EVERY = 10_000;
/** Milliseconds between log lines. */
const SAY_EVERY = 60_000;

/** Characters of a header. */
const NAME = /^[a-z][a-z0-9-]{0,63}$/;
const LONGEST_TEXT = 1_000;

export class Observer {
  readonly #hooks: Hooks;
  readonly #log: Logger;
  /** Aborted when the plugin has ended. */
  readonly #signal: AbortSignal;
  #budget = SAVED;
  #filledAt = performance.now();
  #resting = false;
  #forgaveAt = -Infinity;
  #saidAt = -Infinity;
  #unsaid = 0;

  constructor(hooks: Hooks, log: Logger, signal: AbortSignal) {
    this.#hooks = hooks;
    this.#log = log;
    this.#signal = signal;
  }

  begin<K extends WorkKind>(kind: K, work: Work[K], outer: unknown): unknown {
    const hook = this.#hooks[kind];
    return hook?.begin === undefined ? outer : this.#call(() => hook.begin?.(work as never, outer));
  }

  end<K extends WorkKind>(kind: K, end: WorkEnd[K], state: unknown, work: Work[K]): void {
    const hook = this.#hooks[kind];
    if (hook?.end === undefined) return;
    const own = hook.begin === undefined ? undefined : state;
    this.#call(() => hook.end?.(end as never, own, work as never));
  }

  line(line: string, own: unknown): void {
    const { log } = this.#hooks;
    if (log !== undefined) this.#call(() => log(line, own));
  }

  /** The plugin's trace context, as far as it fits into headers. */
  carries(own: unknown): Record<string, string> | undefined {
    const { carries } = this.#hooks;
    if (carries === undefined || own === undefined) return undefined;
    const carried = this.#call(() => carries(own));
    if (typeof carried !== 'object' || carried === null) return undefined;
    return Object.fromEntries(
      Object.entries(carried).filter(([name, text]) => NAME.test(name) && isText(text)),
    );
  }

  #call(hook: () => unknown): unknown {
    if (this.#signal.aborted) return undefined;
    const began = performance.now();
    this.#budget = Math.min(SAVED, this.#budget + (began - this.#filledAt) * SHARE);
    this.#filledAt = began;
    if (this.#resting && this.#budget < SAVED / 2) return undefined;
    this.#resting = false;
    try {
      const returned = hook();
      if (returned instanceof Promise) returned.catch((error: unknown) => this.#failed(error));
      return returned;
    } catch (error) {
      this.#failed(error);
      return undefined;
    } finally {
      const spent = performance.now() - began;
      if (spent > LONG && began - this.#forgaveAt > FORGIVEN_EVERY) this.#forgaveAt = began;
      else this.#budget -= spent;
      if (this.#budget < 0) this.#rest();
    }
  }

  #rest(): void {
    this.#resting = true;
    const pause = Math.ceil((SAVED / 2 - this.#budget) / SHARE);
    this.#say({}, `hooks take more than a fourth of the time and are not called for ${pause} ms`);
  }

  #failed(error: unknown): void {
    this.#say({ err: error }, 'a hook failed');
  }

  #say(fields: object, message: string): void {
    const now = performance.now();
    if (now - this.#saidAt < SAY_EVERY) {
      this.#unsaid += 1;
      return;
    }
    this.#log.warn({ ...fields, ...(this.#unsaid > 0 && { unsaid: this.#unsaid }) }, message);
    this.#saidAt = now;
    this.#unsaid = 0;
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= LONGEST_TEXT && /^[\x20-\x7e]*$/.test(value);
}
