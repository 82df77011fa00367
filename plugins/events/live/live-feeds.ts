/**
 * Live feeds. A follower gets new events of a feed, found by reading the feed when the store reports a written event:
 * exactly what a page would show to the same caller. Followers of the same feed and caller share the reads.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { followChanges, OpenStreams, Outgoing, type Collection, type Logger } from 'plugboard/sdk';
import { errors } from '../errors.js';
import type { PageRequest, Pages } from '../feeds/pages.js';
import type { EventDocument, IssueEventDocument } from '../store/documents.js';
import { FollowedFeed } from './followed-feed.js';

export interface LiveFeedParts {
  readonly pages: Pages;
  readonly events: Collection<EventDocument>;
  readonly issueEvents: Collection<IssueEventDocument>;
  /** Streams open at a time. */
  readonly most: number;
  readonly mostOfCaller: number;
  readonly log: Logger;
  /** The plugin's signal. */
  readonly signal: AbortSignal;
}

/** Milliseconds between two looks at a store that does not report changes. */
const POLL = 5_000;

export class LiveFeeds {
  readonly #parts: LiveFeedParts;
  readonly #feeds = new Map<string, FollowedFeed>();
  readonly #open = new OpenStreams();
  #following = false;

  constructor(parts: LiveFeedParts) {
    this.#parts = parts;
  }

  /**
   * Starts to send a feed to `caller`. `after`: the id of the client's last event. Throws what a page of the feed
   * throws, `too_many_streams` and `too_many_own_streams`.
   */
  async follow(caller: string, request: PageRequest, after: string | undefined): Promise<Outgoing> {
    const leave = this.#enter(caller);
    const out = new Outgoing();
    out.left.addEventListener('abort', leave, { once: true });
    try {
      this.#follow();
      await this.#feedOf(request).join(out, after);
      return out;
    } catch (error) {
      out.end();
      throw error;
    }
  }

  #enter(caller: string): () => void {
    const { most, mostOfCaller } = this.#parts;
    const entered = this.#open.enter([
      { name: `of ${caller}`, most: mostOfCaller, refusal: errors.too_many_own_streams },
      { name: 'all', most, refusal: errors.too_many_streams },
    ]);
    if (typeof entered === 'function') return entered;
    throw entered.refusal({ values: { most: String(entered.most) }, headers: { 'retry-after': '10' } });
  }

  #feedOf(request: PageRequest): FollowedFeed {
    const key = JSON.stringify([request.subject, request.viewer, request.base]);
    let feed = this.#feeds.get(key);
    if (feed === undefined) {
      feed = new FollowedFeed(this.#parts, request, () => this.#feeds.delete(key));
      this.#feeds.set(key, feed);
    }
    return feed;
  }

  /** Runs from the first stream on. */
  #follow(): void {
    if (this.#following) return;
    this.#following = true;
    const { events, issueEvents } = this.#parts;
    void this.#wakeBy(events, (event) => (feed) => feed.concerns(event));
    void this.#wakeBy(
      issueEvents,
      ({ repo }) =>
        (feed) =>
          feed.concerns({ repo, issues: true }),
    );
  }

  async #wakeBy<D extends EventDocument | IssueEventDocument>(
    collection: Collection<D>,
    concerned: (document: D) => (feed: FollowedFeed) => boolean,
  ): Promise<void> {
    const { log, signal } = this.#parts;
    const wake = (which: (feed: FollowedFeed) => boolean): void => {
      for (const feed of this.#feeds.values()) if (which(feed)) feed.wake();
    };
    const follower = {
      opened: () => wake(() => true),
      changed: (change: { readonly kind: 'put'; readonly document: D } | { readonly kind: 'delete' }) => {
        if (change.kind === 'put') wake(concerned(change.document));
      },
      lost: () => {},
    };
    await followChanges(collection, follower, { log, signal });
    while (!signal.aborted) {
      wake(() => true);
      await sleep(POLL, undefined, { signal }).catch(() => {});
    }
  }
}
