/** A followed feed, as one caller sees it: the events already sent, and its clients. */
import { eventText, Semaphore, type Logger, type Outgoing } from 'plugboard/sdk';
import { WINDOW, type PageRequest, type Pages, type Place } from '../feeds/pages.js';
import type { EventDocument } from '../store/documents.js';

export interface FollowedParts {
  readonly pages: Pages;
  readonly log: Logger;
}

/** The indexed part of a written event; `issues`: it is an issue event. */
export type Written = Partial<Pick<EventDocument, 'repo' | 'actor' | 'org' | 'public'>> & {
  readonly issues?: boolean;
};

/** Events to read after a write; the whole window if none of them is known. */
const FIRST = 100;
/** Ids remembered; then the oldest are forgotten. */
const MOST_KNOWN = 1_000;
/** Milliseconds for which events are gathered. */
const GATHERING = 100;
/** Milliseconds: concurrent transactions may commit in another order than that of their events. */
const OVERLAP = 10_000;

export class FollowedFeed {
  readonly #parts: FollowedParts;
  readonly #request: PageRequest;
  readonly #onEmpty: () => void;
  readonly #outs = new Set<Outgoing>();
  /** Including those that are joining. */
  #clients = 0;
  readonly #turns = new Semaphore(1);
  /** Times of the known events, by id. */
  #known = new Map<string, number>();
  /** Older events are not sent, known or not: they surface as newer ones go. */
  #since = -Infinity;
  #common: Written = {};
  #timer: NodeJS.Timeout | undefined;

  /** Calls `onEmpty` when the last client has left. */
  constructor(parts: FollowedParts, request: PageRequest, onEmpty: () => void) {
    this.#parts = parts;
    this.#request = request;
    this.#onEmpty = onEmpty;
  }

  /** Whether a written event may be in the feed. */
  concerns(written: Written): boolean {
    const { feed } = this.#request.subject;
    if ((feed === 'issues') !== (written.issues === true)) return false;
    return (Object.keys(this.#common) as (keyof Written)[]).every(
      (member) => this.#common[member] === written[member],
    );
  }

  /** Looks soon for new events. */
  wake(): void {
    if (this.#clients === 0) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#look();
    }, GATHERING);
  }

  /** Everything that enters the feed after the event `ready` is sent. Throws what a page of the feed throws. */
  async join(out: Outgoing, after: string | undefined): Promise<void> {
    this.#clients += 1;
    const left = (): void => {
      this.#outs.delete(out);
      this.#clients -= 1;
      if (this.#clients > 0) return;
      clearTimeout(this.#timer);
      this.#onEmpty();
    };
    out.left.addEventListener('abort', left, { once: true });
    await this.#turns.run(async () => {
      const places = await this.#read(WINDOW);
      if (this.#outs.size === 0) this.#begin(places);
      else await this.#tell(places, this.#outs);
      out.push(eventText('ready', '{}'));
      if (after !== undefined) await this.#resume(out, places, after);
      if (!out.left.aborted) this.#outs.add(out);
    });
  }

  #look(): Promise<void> {
    return this.#turns.run(async () => {
      try {
        let places = await this.#read(FIRST);
        if (places.length === FIRST && this.#isNew(places.at(-1)!)) places = await this.#read(WINDOW);
        if (places.length === WINDOW && this.#isNew(places.at(-1)!)) {
          for (const out of this.#outs) out.push(reread('more came than a feed shows'));
          this.#begin(places);
        } else await this.#tell(places, this.#outs);
      } catch (error) {
        this.#parts.log.debug({ err: error }, 'a feed that is followed could not be read');
        for (const out of [...this.#outs]) out.endWith(error);
      }
    });
  }

  async #read(limit: number): Promise<readonly Place[]> {
    const { places, common } = await this.#parts.pages.newest(this.#request, limit);
    this.#common = common;
    return places;
  }

  #begin(places: readonly Place[]): void {
    this.#known = new Map();
    this.#since = -Infinity;
    this.#note(places);
    if (places.length === WINDOW) this.#since = places.at(-1)!.at.getTime();
  }

  #isNew({ _id, at }: Place): boolean {
    return at.getTime() >= this.#since && !this.#known.has(_id);
  }

  #note(places: readonly Place[]): void {
    for (const { _id, at } of places) this.#known.set(_id, at.getTime());
    if (this.#known.size <= MOST_KNOWN) return;
    const newest = [...this.#known].toSorted(([, one], [, other]) => other - one).slice(0, WINDOW);
    this.#known = new Map(newest);
    this.#since = newest.at(-1)![1];
  }

  /** Oldest first. */
  async #tell(places: readonly Place[], outs: Iterable<Outgoing>): Promise<void> {
    const fresh = places.filter((place) => this.#isNew(place));
    const texts = await this.#texts(fresh);
    this.#note(fresh);
    for (const out of outs) for (const text of texts) out.push(text);
  }

  /** Events from while the client was away, and again those from shortly before. */
  async #resume(out: Outgoing, places: readonly Place[], after: string): Promise<void> {
    const at = places.findIndex(({ _id }) => _id === after);
    const last = places[at];
    if (last === undefined) {
      out.push(reread('the last event is no longer among those that a feed shows'));
      return;
    }
    const since = last.at.getTime() - OVERLAP;
    const repeated = places.slice(at + 1).filter((place) => place.at.getTime() >= since);
    // Repeats do not move the client's position.
    for (const text of await this.#texts(repeated, false)) out.push(text);
    for (const text of await this.#texts(places.slice(0, at))) out.push(text);
  }

  async #texts(places: readonly Place[], areNew = true): Promise<string[]> {
    const found = await this.#parts.pages.texts(this.#request, places);
    return places
      .flatMap(({ _id }) => {
        const text = found.get(_id);
        // Archive lines may contain what ends a line of an event.
        return text === undefined
          ? []
          : eventText(undefined, text.replaceAll(/[\r\n]/g, ' '), areNew ? _id : undefined);
      })
      .toReversed();
  }
}

function reread(reason: string): string {
  return eventText('reread', JSON.stringify({ reason: `${reason}: read what you show again` }));
}
