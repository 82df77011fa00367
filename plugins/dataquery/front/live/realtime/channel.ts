/** A channel of `postgres_changes`: what a client joined, and its subscriptions. */
import { isServiceError, type ServiceError } from 'plugboard/sdk';
import type { LiveRows } from '../../../engine/live/live-rows.js';
import type { Subscription } from '../../../engine/live/subscription.js';
import type { ToldChange } from '../../../engine/live/told-change.js';
import type { Wanted } from '../../../engine/live/view.js';
import type { Caller } from '../../../engine/policies/caller.js';
import { isObject } from './frames.js';

/** What a client asked for, echoed back: the client compares both. */
export interface Binding {
  readonly id: number;
  readonly event: string;
  readonly schema: string;
  readonly table?: string;
  readonly filter?: string;
}

export interface ChannelEvents {
  change(binding: Binding, change: ToldChange): void;
  missed(): void;
  ended(error: ServiceError): void;
}

const EVENTS: ReadonlySet<string> = new Set(['*', 'INSERT', 'UPDATE', 'DELETE']);
/** Per channel. */
const MOST_BINDINGS = 20;

/** Why a join is refused, in the words that the client shows. */
export class JoinRefused extends Error {}

/** Throws `JoinRefused`. */
export function bindingsOf(config: unknown, nextId: () => number): Binding[] {
  const asked = isObject(config) ? config['postgres_changes'] : undefined;
  if (!Array.isArray(asked) || asked.length === 0)
    throw new JoinRefused(
      'a channel is joined for "postgres_changes"; broadcast and presence are not offered',
    );
  if (asked.length > MOST_BINDINGS)
    throw new JoinRefused(`a channel takes ${MOST_BINDINGS} "postgres_changes" at most`);
  return asked.map((one: unknown): Binding => {
    const { event, schema, table, filter } = isObject(one) ? one : {};
    const name = typeof event === 'string' ? event : '*';
    if (!EVENTS.has(name)) throw new JoinRefused(`"event" is *, INSERT, UPDATE or DELETE`);
    if (typeof schema !== 'string') throw new JoinRefused('"schema" is missing');
    if (filter !== undefined && typeof filter !== 'string') throw new JoinRefused('"filter" is a text');
    if (isObject(one) && one['select'] !== undefined)
      throw new JoinRefused('"select" is not offered: columns are those that the caller may read');
    return {
      id: nextId(),
      event: name,
      schema,
      ...(typeof table === 'string' && { table }),
      ...(typeof filter === 'string' && { filter }),
    };
  });
}

export class Channel {
  readonly #subscriptions: Subscription[] = [];

  /** Subscribes at once. Throws `JoinRefused`; then nothing is subscribed. */
  constructor(live: LiveRows, caller: Caller, bindings: readonly Binding[], events: ChannelEvents) {
    try {
      for (const binding of bindings) this.#subscribe(live, caller, binding, events);
    } catch (error) {
      this.close();
      if (!isServiceError(error)) throw error;
      const { message, fields } = error;
      throw new JoinRefused(typeof fields.hint === 'string' ? `${message}. ${fields.hint}` : message);
    }
  }

  #subscribe(live: LiveRows, caller: Caller, binding: Binding, events: ChannelEvents): void {
    const { schema, table = '*', filter = '' } = binding;
    for (const { wanted } of live.views(caller, { schema, relation: table, filter } satisfies Wanted)) {
      const subscription = live.subscribe(caller, wanted, {
        tell: (change) => {
          if (binding.event === '*' || binding.event === change.type) events.change(binding, change);
        },
        missed: () => events.missed(),
        end: (error) => events.ended(error),
      });
      this.#subscriptions.push(subscription);
    }
  }

  set caller(caller: Caller) {
    for (const subscription of this.#subscriptions) subscription.caller = caller;
  }

  close(): void {
    for (const subscription of this.#subscriptions) subscription.close();
  }
}
