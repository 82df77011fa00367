/**
 * Pages of the feeds: thirty records, ten pages. A page that was made at the current version of the feeds is given
 * out again; what is kept is never older than the last acknowledged write.
 */
import { LRUCache } from 'lru-cache';
import { entityTag, type Clock, type Collection, type Document } from 'plugboard/sdk';
import { errors } from '../errors.js';
import type { EventDocument } from '../store/documents.js';
import type { EventFeeds, EventKey, FeedSubject } from './events.js';
import type { IssueEventFeed } from './issue-events.js';
import type { Version, Versions } from '../store/versions.js';

export const PAGE_SIZE = 30;
export const PAGES = 10;
const WINDOW = PAGE_SIZE * PAGES;

export interface PageRequest {
  readonly subject: Subject;
  /** From 1. */
  readonly page: number;
  /** The caller's login; undefined when the caller is not a user. */
  readonly viewer: string | undefined;
  /** The address of this server as the caller knows it, and the path, which names the feed. */
  readonly base: string;
  readonly path: string;
}

export type Subject = FeedSubject | (Omit<FeedSubject, 'feed'> & { readonly feed: 'issues' });

export interface Page {
  readonly body: string;
  readonly etag: string;
  readonly lastModified: string | undefined;
  readonly link: string | undefined;
}

interface KeptPage extends Page {
  readonly version: number;
  /** When the first of its events expires. */
  readonly until: number;
}

/** A feed that has ten full pages has them until events are removed or expire. */
interface FullFeed {
  readonly removals: number;
  readonly until: number;
}

type Place = Pick<EventKey, '_id' | 'at'>;

/** Feeds that look the same to every caller. */
const SAME_FOR_ALL: ReadonlySet<string> = new Set([
  'public',
  'organization',
  'received-public',
  'performed-public',
]);

export interface PageParts {
  readonly feeds: EventFeeds;
  readonly issues: IssueEventFeed;
  readonly events: Collection<EventDocument>;
  readonly versions: Versions;
  readonly clock: Clock;
  /** Milliseconds. */
  readonly retention: number;
  readonly cacheBytes: number;
}

export class Pages {
  readonly #parts: PageParts;
  readonly #kept: LRUCache<string, KeptPage>;
  readonly #full = new LRUCache<string, FullFeed>({ max: 10_000 });
  readonly #making = new Map<string, Promise<KeptPage>>();

  constructor(parts: PageParts) {
    this.#parts = parts;
    this.#kept = new LRUCache({
      maxSize: parts.cacheBytes,
      sizeCalculation: ({ body }, key) => 2 * (body.length + key.length) + 500,
    });
  }

  /** Begins to read what a page is held against. A write that is acknowledged later need not be in the page. */
  begin(): Version | Promise<Version> {
    return this.#parts.versions.current();
  }

  /** Without a promise where the page is kept, as it is for nearly every poll. `now` in milliseconds. */
  page(request: PageRequest, version: Version, now: number): Page | Promise<Page> {
    if (request.page > PAGES)
      throw errors.pagination_limited({ documentationUrl: 'https://developer.github.com/v3/#pagination' });
    // A path names one feed, and has no spaces.
    const key = `${request.page} ${request.base} ${request.path} ${callerOf(request)}`;
    const kept = this.#kept.get(key);
    if (kept?.version === version.count && now < kept.until) return kept;
    return this.#made(request, version, key);
  }

  async #made(request: PageRequest, version: Version, key: string): Promise<Page> {
    // Callers who wait for the same page of the same version wait for one making.
    const making = `${version.count} ${key}`;
    let page = this.#making.get(making);
    if (page === undefined) {
      page = this.#make(request, version).finally(() => this.#making.delete(making));
      this.#making.set(making, page);
    }
    const made = await page;
    this.#kept.set(key, made);
    return made;
  }

  async #make(request: PageRequest, version: Version): Promise<KeptPage> {
    const { retention } = this.#parts;
    const feed = feedKey(request);
    const needed = request.page * PAGE_SIZE + 1;
    const limit = this.#isFull(feed, version) ? needed : WINDOW + 1;
    const places = await this.#newest(request, limit);
    if (places.length > WINDOW) {
      const until = places[WINDOW]!.at.getTime() + retention;
      this.#full.set(feed, { removals: version.removals, until });
    }
    const shown = places.slice(needed - 1 - PAGE_SIZE, needed - 1);
    const pages =
      limit === needed && places.length === needed
        ? PAGES
        : Math.max(1, Math.min(PAGES, Math.ceil(places.length / PAGE_SIZE)));
    const texts = await this.#texts(request, shown);
    const body = `[${texts.join(',')}]`.replaceAll('\0', jsonSafe(request.base));
    return {
      body,
      etag: entityTag(body),
      lastModified: shown[0]?.at.toUTCString(),
      link: links(`${request.base}${request.path}`, request.page, pages),
      version: version.count,
      // The last one of them all: when it goes, the links may change too.
      until: (places.at(-1)?.at.getTime() ?? Infinity) + retention,
    };
  }

  #isFull(feed: string, { removals }: Version): boolean {
    const known = this.#full.get(feed);
    return known?.removals === removals && this.#parts.clock.now() < known.until;
  }

  #newest({ subject, viewer }: PageRequest, limit: number): Promise<Place[]> {
    return subject.feed === 'issues'
      ? this.#parts.issues.newest(subject, viewer, limit)
      : this.#parts.feeds.newest(subject as FeedSubject, viewer, limit);
  }

  async #texts({ subject }: PageRequest, shown: readonly Place[]): Promise<string[]> {
    const collection: Collection<Document & { readonly text: string }> =
      subject.feed === 'issues' ? this.#parts.issues.records : this.#parts.events;
    if (shown.length === 0) return [];
    const found = await collection
      .find({ _id: { $in: shown.map(({ _id }) => _id) } }, { projection: { text: 1 }, shared: true })
      .toArray();
    const byId = new Map(found.map(({ _id, text }) => [_id, text]));
    return shown.flatMap(({ _id }) => byId.get(_id) ?? []);
  }
}

/** Whose view a page is; empty where all callers see the same. */
function callerOf({ subject, viewer = '' }: PageRequest): string {
  return SAME_FOR_ALL.has(subject.feed) ? '' : viewer;
}

/** Under which a feed is known, however its names were written. */
function feedKey(request: PageRequest): string {
  const { subject } = request;
  const { feed, id = 0, owner = '', repo = '', user = '', org = '' } = subject;
  return JSON.stringify([feed, id, owner, repo, user, org, callerOf(request)]).toLowerCase();
}

/** Relations are quoted and addresses absolute: clients look for exactly that. */
function links(url: string, page: number, pages: number): string | undefined {
  const to = (rel: string, target: number): string => `<${url}?page=${target}>; rel="${rel}"`;
  const parts = [
    ...(page > 1 ? [to('prev', Math.min(page - 1, pages))] : []),
    ...(page < pages ? [to('next', page + 1), to('last', pages)] : []),
    ...(page > 1 ? [to('first', 1)] : []),
  ];
  return parts.length === 0 ? undefined : parts.join(', ');
}

function jsonSafe(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
