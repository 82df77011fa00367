/**
 * Pages of the feeds: thirty records, ten pages. A page is identified by its events: each poll reads their keys, from
 * which the entity tag is made. Texts are read only for a response with a body.
 */
import { LRUCache } from 'lru-cache';
import {
  encodeCursor,
  entityTag,
  linkHeader,
  pageLinks,
  SharedReads,
  StorageError,
  type Clock,
  type Collection,
  type Document,
  type Storage,
} from 'plugboard/sdk';
import type { Directory } from '../directory/directory.js';
import type { DirectoryVersion } from '../directory/version.js';
import { DirectoryView } from '../directory/view.js';
import { errors } from '../errors.js';
import type { EventDocument } from '../store/documents.js';
import type { EventFeeds, EventKey, FeedSubject } from './events.js';
import type { IssueEventFeed } from './issue-events.js';
import type { Dated } from './merge.js';

export const PAGE_SIZE = 30;
export const PAGES = 10;
/** Events that a feed shows in pages. */
export const WINDOW = PAGE_SIZE * PAGES;

/** Increment it when the representation of events changes: clients hold tags for weeks. */
const FORMAT = 2;

/** Pages whose keys are being read, or were read at the last commit of a store that counts them. */
const MOST_FOUND = 10_000;
/** Retries for a page whose events were deleted while their texts were read. */
const ATTEMPTS = 5;

export interface PageRequest {
  readonly subject: Subject;
  /** From 1. */
  readonly page: number;
  /** Instead of a page number: the events after this one, however old; null for the newest. */
  readonly after?: Dated | null;
  /** The caller's login; undefined if the caller is not a user. */
  readonly viewer: string | undefined;
  /** The address of this server as the caller knows it, and the path, which names the feed. */
  readonly base: string;
  readonly path: string;
}

export type Subject = FeedSubject | (Omit<FeedSubject, 'feed'> & { readonly feed: 'issues' });

/** What a poll needs of a page. */
export interface FoundPage {
  readonly etag: string;
  readonly lastModified: string | undefined;
}

export interface Page extends FoundPage {
  readonly body: string;
  readonly link: string | undefined;
}

/** `public` is the text's, which changes with it. Issue events have none. */
export type Place = Pick<EventKey, '_id' | 'at'> & { readonly public?: boolean };

interface Places {
  readonly shown: readonly Place[];
  /** Whether there is an event after the page. */
  readonly more: boolean;
  /** When the first of its events expires. */
  readonly until: number;
}

/** A feed with ten full pages keeps them until the directory changes or an event expires. */
interface FullFeed {
  readonly version: number;
  readonly until: number;
}

/** Feeds that look the same to every caller. */
const SAME_FOR_ALL: ReadonlySet<string> = new Set([
  'public',
  'organization',
  'received-public',
  'performed-public',
]);

export interface PageParts {
  readonly storage: Storage;
  readonly feeds: (view: DirectoryView) => EventFeeds;
  readonly issues: IssueEventFeed;
  readonly events: Collection<EventDocument>;
  readonly directory: Directory;
  readonly version: DirectoryVersion;
  readonly clock: Clock;
  /** Milliseconds. */
  readonly retention: number;
  readonly cacheBytes: number;
}

export class Pages {
  readonly #parts: PageParts;
  /** By entity tag: the same tag is the same text. */
  readonly #bodies: LRUCache<string, string>;
  readonly #full = new LRUCache<string, FullFeed>({ max: 10_000 });
  /** By feed and page. Concurrent callers share a read that begins after all of them. */
  readonly #found = new LRUCache<string, SharedReads<DirectoryView, Places>>({ max: MOST_FOUND });
  #view: DirectoryView | undefined;

  constructor(parts: PageParts) {
    this.#parts = parts;
    this.#bodies = new LRUCache({
      maxSize: parts.cacheBytes,
      sizeCalculation: (body, tag) => 2 * (body.length + tag.length) + 500,
    });
  }

  /** Starts to read what a page depends on. A write that is acknowledged later need not be in the page. */
  begin(): number | Promise<number> {
    return this.#parts.version.current();
  }

  /** Without a promise if the store says that nothing was written since the last poll. `now` in milliseconds. */
  find(request: PageRequest, version: number, now: number): FoundPage | Promise<FoundPage> {
    const places = this.#places(request, this.#at(version), now);
    return places instanceof Promise
      ? places.then((read) => foundPage(request, read))
      : foundPage(request, places);
  }

  /** The complete page. Its tag is that of its body, which may be newer than what was found before. */
  async page(request: PageRequest, version: number, now: number): Promise<Page> {
    const view = this.#at(version);
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const places = await this.#places(request, view, now);
      const found = foundPage(request, places);
      const body = await this.#body(request, places.shown, found.etag);
      if (body !== undefined) {
        return { ...found, body, link: await this.#link(request, view, places) };
      }
      this.#found.delete(pageKey(request));
    }
    throw new StorageError('unavailable', 'the events of a page went while it was read');
  }

  /** The newest events of a feed now, and what all its events have in common. */
  async newest(
    request: PageRequest,
    limit: number,
  ): Promise<{ readonly places: readonly Place[]; readonly common: Partial<EventDocument> }> {
    const view = this.#at(await this.begin());
    const { subject, viewer } = request;
    const ofEvents: FeedSubject = {
      ...subject,
      feed: subject.feed === 'issues' ? 'repository' : subject.feed,
    };
    const [places, common] = await Promise.all([
      this.#newest(request, view, limit),
      this.#parts.feeds(view).common(ofEvents, viewer),
    ]);
    return { places, common: common as Partial<EventDocument> };
  }

  /** Of places that are still current, by id. */
  async texts({ subject, base }: PageRequest, places: readonly Place[]): Promise<Map<string, string>> {
    if (places.length === 0) return new Map();
    const collection: Collection<Document & { readonly text: string; readonly public?: boolean }> =
      subject.feed === 'issues' ? this.#parts.issues.records : this.#parts.events;
    const found = await collection
      .find(
        { _id: { $in: places.map(({ _id }) => _id) } },
        { projection: { text: 1, public: 1 }, shared: true },
      )
      .toArray();
    const flags = new Map(places.map((place) => [place._id, place.public]));
    const held = found.filter((document) => document.public === flags.get(document._id));
    const address = jsonSafe(base);
    return new Map(held.map(({ _id, text }) => [_id, text.replaceAll('\0', address)]));
  }

  #at(version: number): DirectoryView {
    if (this.#view?.version !== version) this.#view = new DirectoryView(this.#parts.directory, version);
    return this.#view;
  }

  #places(request: PageRequest, view: DirectoryView, now: number): Places | Promise<Places> {
    if (request.page > PAGES)
      throw errors.pagination_limited({ documentationUrl: 'https://developer.github.com/v3/#pagination' });
    const key = pageKey(request);
    let reads = this.#found.get(key);
    const kept = reads?.kept(view);
    if (kept !== undefined && now < kept.until) return kept;
    if (reads === undefined || kept !== undefined) {
      reads = new SharedReads((views) => this.#read(request, views), this.#parts.storage);
      this.#found.set(key, reads);
    }
    return reads.get(view) as Promise<Places>;
  }

  async #read(request: PageRequest, views: readonly DirectoryView[]): Promise<Map<DirectoryView, Places>> {
    const { after, page } = request;
    const needed = page * PAGE_SIZE + 1;
    const read = async (view: DirectoryView): Promise<[DirectoryView, Places]> => {
      const places = await this.#newest(request, view, needed, after ?? undefined);
      const shown = places.slice(needed - 1 - PAGE_SIZE, needed - 1);
      const more = places.length === needed;
      const until = (places.at(-1)?.at.getTime() ?? Infinity) + this.#parts.retention;
      return [view, { shown, more, until }];
    };
    return new Map(await Promise.all(views.map(read)));
  }

  #newest(
    { subject, viewer }: PageRequest,
    view: DirectoryView,
    limit: number,
    after?: Dated,
  ): Promise<Place[]> {
    const feeds = this.#parts.feeds(view);
    return subject.feed === 'issues'
      ? this.#parts.issues.newest(feeds, subject, viewer, limit, after)
      : feeds.newest(subject as FeedSubject, viewer, limit, after);
  }

  async #link(request: PageRequest, view: DirectoryView, places: Places): Promise<string | undefined> {
    const url = `${request.base}${request.path}`;
    if (request.after === undefined)
      return pageLinks(url, request.page, await this.#pages(request, view, places));
    const last = places.shown.at(-1);
    if (!places.more || last === undefined) return undefined;
    return linkHeader({ next: `${url}?cursor=${encodeCursor([last.at.getTime(), last._id])}` });
  }

  /** How many pages there are. */
  async #pages(request: PageRequest, view: DirectoryView, { shown, more }: Places): Promise<number> {
    if (shown.length > 0 && (!more || request.page === PAGES)) return request.page;
    const feed = feedKey(request);
    const known = this.#full.get(feed);
    if (known?.version === view.version && this.#parts.clock.now() < known.until) return PAGES;
    const all = await this.#newest(request, view, WINDOW + 1);
    const last = all[WINDOW];
    if (last !== undefined)
      this.#full.set(feed, { version: view.version, until: last.at.getTime() + this.#parts.retention });
    return Math.max(1, Math.min(PAGES, Math.ceil(all.length / PAGE_SIZE)));
  }

  /** Undefined if an event was deleted, or withdrawn, since its place was read. */
  async #body(request: PageRequest, shown: readonly Place[], etag: string): Promise<string | undefined> {
    const kept = this.#bodies.get(etag);
    if (kept !== undefined) return kept;
    const found = await this.texts(request, shown);
    if (found.size < shown.length) return undefined;
    const body = `[${shown.map(({ _id }) => found.get(_id)).join(',')}]`;
    this.#bodies.set(etag, body);
    return body;
  }
}

/** An event's text changes only with its flag, so a tag of its places is a tag of the page's bytes. */
function foundPage({ subject, base }: PageRequest, { shown }: Places): FoundPage {
  const kind = subject.feed === 'issues' ? 'issues' : 'events';
  const places = shown.map(({ _id, at, public: isPublic }) => `${_id} ${at.getTime()} ${isPublic}`);
  return {
    etag: entityTag([FORMAT, kind, base, ...places].join('\n')),
    lastModified: shown[0]?.at.toUTCString(),
  };
}

/** Whose view a page is; empty if all callers see the same. */
function callerOf({ subject, viewer = '' }: PageRequest): string {
  return SAME_FOR_ALL.has(subject.feed) ? '' : viewer;
}

/** The key of a feed, whatever the case of its names. */
function feedKey(request: PageRequest): string {
  const { subject } = request;
  const { feed, id = 0, owner = '', repo = '', user = '', org = '' } = subject;
  return JSON.stringify([feed, id, owner, repo, user, org, callerOf(request)]).toLowerCase();
}

function pageKey(request: PageRequest): string {
  const { page, after } = request;
  return `${after ? `${after.at.getTime()} ${after._id}` : page} ${feedKey(request)}`;
}

function jsonSafe(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
