/** Subscriptions to the changes of live tables. They share one change feed, opened with the first subscription. */
import { setTimeout as delay } from 'node:timers/promises';
import {
  isServiceError,
  isStorageError,
  newId,
  OpenStreams,
  type Logger,
  type ResumeToken,
} from 'plugboard/sdk';
import { errors } from '../base/errors.js';
import type { PlanLimits } from '../plan/plan.js';
import type { Caller } from '../policies/caller.js';
import type { ReadContext } from '../read/context.js';
import type { RowChanges } from '../rows/row-changes.js';
import type { SchemaState } from '../schema/schema-state.js';
import { batches } from './batches.js';
import { Replays } from './replays.js';
import { Subscription, type Listener } from './subscription.js';
import { toldChanges, type Placed, type ToldChange } from './told-change.js';
import { liveRelations, liveView, type LiveView, type Wanted } from './view.js';

/** A catalog and its rows as a caller sees them now. */
export interface Sight {
  readonly state: SchemaState;
  readonly limits: PlanLimits;
  readonly reading: ReadContext;
}

export interface LiveRowsParts {
  readonly changes: RowChanges;
  readonly sightOf: (caller: Caller) => Sight;
  /** Subscriptions open at a time. */
  readonly most: number;
  readonly mostOfCaller: number;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

const AGAIN_AFTER = 1_000;

export class LiveRows {
  readonly #parts: LiveRowsParts;
  readonly #subscriptions = new Set<Subscription>();
  readonly #open = new OpenStreams();
  readonly #replays: Replays;
  #following: Promise<void> | undefined;
  /** After the last change that was sent. */
  #token: ResumeToken | undefined;

  constructor(parts: LiveRowsParts) {
    this.#parts = parts;
    this.#replays = new Replays(parts.changes, parts.signal);
  }

  /** Throws if the subscription is refused; all live tables of the schema if `wanted.relation` is `*`. */
  views(caller: Caller, wanted: Wanted): readonly LiveView[] {
    const { state, limits } = this.#parts.sightOf(caller);
    if (wanted.relation !== '*') return [liveView(state, limits, wanted)];
    if (wanted.filter !== '') throw errors.SVC127({ details: 'A filter is about one table.' });
    return liveRelations(state, limits, wanted.schema);
  }

  /** Resolves when the feed is open: changes stored from now on are sent. */
  async open(): Promise<void> {
    this.#following ??= this.#start().catch((error: unknown) => {
      this.#following = undefined;
      throw error;
    });
    await this.#following;
  }

  /**
   * Sends changes to `listener`, after `open`. With `after`, the token of an earlier change, first those since then.
   * Throws SVC133 and SVC134 if too many subscriptions are open.
   */
  subscribe(caller: Caller, wanted: Wanted, listener: Listener, after?: ResumeToken): Subscription {
    const leave = this.#enter('subscriptions', caller);
    const mark = after === undefined ? undefined : newId();
    const subscription = new Subscription(caller, wanted, listener, mark, () => {
      this.#subscriptions.delete(subscription);
      leave();
    });
    this.#subscriptions.add(subscription);
    if (after !== undefined && mark !== undefined) void this.#replay(subscription, after, mark);
    return subscription;
  }

  /**
   * A connection that may subscribe: limited in number like subscriptions. Returns a function that closes it. Throws as
   * `subscribe` does.
   */
  connect(caller: Caller): () => void {
    return this.#enter('connections', caller);
  }

  #enter(kind: 'subscriptions' | 'connections', caller: Caller): () => void {
    const { most, mostOfCaller } = this.#parts;
    const entered = this.#open.enter([
      { name: `${kind} of ${caller.id}`, most: mostOfCaller, refusal: errors.SVC134 },
      { name: kind, most, refusal: errors.SVC133 },
    ]);
    if (typeof entered === 'function') return entered;
    throw entered.refusal({ values: { most: String(entered.most) }, headers: { 'retry-after': '10' } });
  }

  /** After everything that was sent; undefined before the first subscription. */
  get token(): ResumeToken | undefined {
    return this.#token;
  }

  async #start(): Promise<void> {
    const { changes, signal } = this.#parts;
    const feed = await changes.follow({ signal });
    this.#token = feed.token;
    void this.#follow(feed);
  }

  async #follow(feed: Awaited<ReturnType<RowChanges['follow']>>): Promise<void> {
    const { log, signal } = this.#parts;
    try {
      for await (const batch of batches(feed)) {
        await this.#tell(batch);
        this.#token = batch.at(-1)?.token ?? this.#token;
      }
      return;
    } catch (error) {
      if (signal.aborted) return;
      log.warn({ err: error }, 'changes of rows are missed: subscribers are told to read again');
    }
    while (!signal.aborted) {
      try {
        await this.#start();
        for (const subscription of this.#subscriptions) subscription.missed();
        return;
      } catch {
        await delay(AGAIN_AFTER, undefined, { signal }).catch(() => {});
      }
    }
  }

  async #tell(batch: readonly Placed[]): Promise<void> {
    const known = new Map<LiveView, Promise<readonly (ToldChange | undefined)[]>>();
    for (const subscription of [...this.#subscriptions]) {
      const own = subscription.live(batch);
      if (own === undefined) continue;
      await this.#judged(subscription, (sight, view) => {
        const told = known.get(view) ?? toldChanges(sight.reading, view, batch);
        known.set(view, told);
        return told.then((all) => subscription.tell(all.slice(own)));
      });
    }
  }

  /** The changes after `after`, up to the mark at which the shared feed takes over. */
  async #replay(subscription: Subscription, after: ResumeToken, mark: string): Promise<void> {
    try {
      await this.#replays.run(after, mark, subscription.signal, (batch) =>
        this.#judged(subscription, async (sight, view) => {
          subscription.replay(await toldChanges(sight.reading, view, batch));
        }),
      );
      subscription.caughtUp();
    } catch (error) {
      if (subscription.signal.aborted) return;
      if (!isStorageError(error, 'history_lost'))
        this.#parts.log.warn({ err: error }, 'a subscription could not go on where it stopped');
      subscription.missed();
    }
  }

  /** By what the caller sees now: catalogs and rights change. */
  async #judged(
    subscription: Subscription,
    work: (sight: Sight, view: LiveView) => Promise<void>,
  ): Promise<void> {
    try {
      const sight = this.#parts.sightOf(subscription.caller);
      await work(sight, liveView(sight.state, sight.limits, subscription.wanted));
    } catch (error) {
      if (!isServiceError(error)) this.#parts.log.error({ err: error }, 'a change of rows could not be told');
      subscription.end(isServiceError(error) ? error : errors.SVC000());
    }
  }
}
