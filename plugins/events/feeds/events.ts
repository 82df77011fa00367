/** The nine feeds of events: the events of each, as sources over the indexes, and which of them the caller sees. */
import type { Account, Collection, Filter } from 'plugboard/sdk';
import type { Directory } from '../directory/directory.js';
import type { RepositoryDocument } from '../directory/documents.js';
import { errors } from '../errors.js';
import type { EventDocument } from '../store/documents.js';
import { merge, precedes, type Dated, type Source } from './merge.js';
import { isPublic, maySee, privatePart, type FeedName, type PrivatePart } from './visibility.js';

/** Whose feed it is: the members of the feed's path. A repository is given by name or id. */
export interface FeedSubject {
  readonly feed: FeedName;
  readonly id?: number;
  readonly owner?: string;
  readonly repo?: string;
  readonly user?: string;
  readonly org?: string;
}

/** Thrown for a former name of a repository, to callers who may read it. */
export class RepositoryMoved extends Error {
  readonly id: number;
  /** `owner/name` */
  readonly fullName: string;

  constructor({ id, name }: RepositoryDocument) {
    super(`the repository is called ${name} now`);
    this.id = id;
    this.fullName = name;
  }
}

/** The part of an event in the index of a repository's or of all events. */
export type EventKey = Pick<EventDocument, '_id' | 'repo' | 'public' | 'at'>;

type Where = Pick<Filter<EventDocument>, 'actor' | 'repo' | 'org'>;

/** A feed with its names resolved. */
interface FeedPlan {
  readonly part: PrivatePart;
  /** The caller's account, if private events may be shown. */
  readonly viewer: number | undefined;
  readonly sources: AsyncIterable<Source<EventKey>> | Iterable<Source<EventKey>>;
}

/** How far to read the sources of a feed. */
interface Reach {
  /** Events to read of a source at first: a page may take more. */
  readonly first: number;
  /** Only later ones in the feed. */
  readonly after: Dated | undefined;
}

/** Events read of a source at first, at most. */
const WHOLE_FEED = 100;
const ONE_OF_MANY = 4;

/** Events checked for visibility at once. */
const BATCH = 64;

export class EventFeeds {
  readonly #events: Collection<EventDocument>;
  readonly #directory: Directory;
  readonly #scanLimit: number;

  /** `scanLimit`: events that one page may read, including those that the caller may not see. */
  constructor(events: Collection<EventDocument>, directory: Directory, scanLimit: number) {
    this.#events = events;
    this.#directory = directory;
    this.#scanLimit = scanLimit;
  }

  /**
   * The newest `limit` events after `after` that the caller may see. `viewer` is the caller's login. Throws `not_found`
   * for a subject that does not exist or that the caller may not know of, and `RepositoryMoved`.
   */
  async newest(
    subject: FeedSubject,
    viewer: string | undefined,
    limit: number,
    after?: Dated,
  ): Promise<EventKey[]> {
    const plan = await this.#plan(subject, viewer, { first: Math.min(WHOLE_FEED, limit), after });
    const seen: EventKey[] = [];
    let batch: EventKey[] = [];
    let scanned = 0;
    for await (const event of merge(plan.sources)) {
      batch.push(event);
      scanned += 1;
      if (scanned < this.#scanLimit && batch.length < Math.min(BATCH, limit - seen.length)) continue;
      seen.push(...(await this.#visible(batch, plan)));
      batch = [];
      if (seen.length >= limit || scanned >= this.#scanLimit) return seen;
    }
    return seen.concat(await this.#visible(batch, plan));
  }

  async #visible(batch: readonly EventKey[], { part, viewer }: FeedPlan): Promise<EventKey[]> {
    const repositories = await this.#directory.repositoriesById([...new Set(batch.map(({ repo }) => repo))]);
    const hidden = batch.flatMap((event) => {
      const repository = repositories.get(event.repo);
      return repository === undefined || isPublic(event, repository) ? [] : [repository];
    });
    const readable =
      viewer === undefined || part !== 'readable'
        ? new Set<number>()
        : await this.#directory.readable(viewer, [...new Set(hidden)]);
    return batch.filter((event) => {
      const repository = repositories.get(event.repo);
      const access = repository && { private: repository.private, readable: readable.has(repository.id) };
      return maySee(event, access, part);
    });
  }

  /** What all events of a feed have in common, if it is a feed of one repository, actor or organization. */
  async common({ feed, ...subject }: FeedSubject, viewer: string | undefined): Promise<Where> {
    switch (feed) {
      case 'repository':
        return { repo: (await this.repositoryFor({ feed, ...subject }, viewer)).id };
      case 'performed':
      case 'performed-public':
        return { actor: found(await this.#directory.user(subject.user ?? '')).id };
      case 'organization':
      case 'dashboard':
        return { org: found(await this.#directory.organization(subject.org ?? '')).id };
      default:
        return {};
    }
  }

  async #plan(subject: FeedSubject, viewerLogin: string | undefined, reach: Reach): Promise<FeedPlan> {
    const viewer = viewerLogin === undefined ? null : await this.#directory.user(viewerLogin);
    switch (subject.feed) {
      case 'public':
        return { part: 'none', viewer: undefined, sources: this.#ranges({}, 'none', reach) };
      case 'repository':
      case 'network':
        return this.#ofRepository(subject, viewer, reach);
      case 'organization': {
        const { id } = found(await this.#directory.organization(subject.org ?? ''));
        return { part: 'none', viewer: undefined, sources: this.#ranges({ org: id }, 'none', reach) };
      }
      default:
        return this.#ofUser(subject, viewer, reach);
    }
  }

  async #ofRepository(subject: FeedSubject, viewer: Account | null, reach: Reach): Promise<FeedPlan> {
    const repository = await this.#repository(subject, viewer);
    const part = privatePart(subject.feed, false);
    const sources =
      subject.feed === 'network'
        ? this.#network(repository.network, reach)
        : this.#ranges({ repo: repository.id }, viewer === null ? 'none' : part, reach);
    return { part, viewer: viewer?.id, sources };
  }

  /** The repository, if the viewer (a login) may know that it exists. */
  async repositoryFor(subject: FeedSubject, viewer: string | undefined): Promise<RepositoryDocument> {
    return this.#repository(subject, viewer === undefined ? null : await this.#directory.user(viewer));
  }

  async #repository(
    { id, owner = '', repo = '' }: FeedSubject,
    viewer: Account | null,
  ): Promise<RepositoryDocument> {
    const directory = this.#directory;
    const present = await (id === undefined
      ? directory.repository(owner, repo)
      : directory.repositoryById(id));
    const repository =
      present ?? found(id === undefined ? await directory.repositoryOnceCalled(owner, repo) : null);
    if (repository.private) {
      const readable = viewer === null ? undefined : await directory.readable(viewer.id, [repository]);
      if (readable?.has(repository.id) !== true) throw errors.not_found();
    }
    if (present === null) throw new RepositoryMoved(repository);
    return repository;
  }

  async #ofUser(subject: FeedSubject, viewer: Account | null, reach: Reach): Promise<FeedPlan> {
    const user = found(await this.#directory.user(subject.user ?? ''));
    const isSelf = viewer?.id === user.id;
    const part = privatePart(subject.feed, isSelf);
    const own = { part, viewer: isSelf ? user.id : undefined };
    switch (subject.feed) {
      case 'performed':
      case 'performed-public':
        return { ...own, sources: this.#ranges({ actor: user.id }, part, reach) };
      case 'dashboard': {
        if (!isSelf) throw errors.not_found();
        const organization = found(await this.#directory.organization(subject.org ?? ''));
        if (!(await this.#directory.isMember(user.id, organization.id))) throw errors.not_found();
        return { ...own, sources: this.#ranges({ org: organization.id }, part, reach) };
      }
      default:
        return { ...own, sources: await this.#received(user.id, part, reach) };
    }
  }

  /** Public and private events are separate ranges, so that neither is read to find the other. */
  #ranges(where: Where, part: PrivatePart, reach: Reach, activeAt = Infinity): Source<EventKey>[] {
    const flags = part === 'none' ? [true] : [true, false];
    return flags.map((isPublicRange) => ({
      activeAt: Math.min(activeAt, reach.after?.at.getTime() ?? Infinity),
      open: () => this.#read({ ...where, public: isPublicRange }, reach),
    }));
  }

  /** In growing chunks from `first`: a page takes only a few events from each of its many sources. */
  async *#read(filter: Filter<EventDocument>, { first, after }: Reach): AsyncGenerator<EventKey, void> {
    let last: Dated | undefined = after;
    for (let size = first; ; size = Math.min(4 * size, this.#scanLimit)) {
      const found: EventKey[] = await this.#events
        .find(last === undefined ? filter : { ...filter, at: { $lte: last.at } }, {
          sort: { at: -1, _id: -1 },
          limit: size,
          projection: { repo: 1, public: 1, at: 1 },
          shared: true,
        })
        .toArray();
      for (const event of found) {
        // Events of the same instant are repeated.
        if (last !== undefined && !precedes(last, event)) continue;
        last = event;
        yield event;
      }
      if (found.length < size || size === this.#scanLimit) return;
    }
  }

  /** The public repositories of a fork network, most recently active first. */
  async *#network(network: number, reach: Reach): AsyncGenerator<Source<EventKey>, void> {
    const each = { ...reach, first: ONE_OF_MANY };
    const repositories = this.#directory.repositories.find(
      { network, private: false },
      { sort: { activeAt: -1, _id: -1 }, projection: { id: 1, activeAt: 1 } },
    );
    for await (const { id, activeAt } of repositories)
      yield* this.#ranges({ repo: id }, 'none', each, +activeAt);
  }

  /** Events by the users that the user follows, and in the repositories that the user watches. */
  async #received(user: number, part: PrivatePart, reach: Reach): Promise<Source<EventKey>[]> {
    const each = { ...reach, first: ONE_OF_MANY };
    const { activity, repositories } = this.#directory;
    const held = await this.#directory.followed(user);
    const idsOf = (kind: string): string[] =>
      held.filter((tie) => tie.kind === kind).map(({ target }) => String(target));
    const options = { projection: { id: 1, activeAt: 1 }, shared: true } as const;
    const [followed, watched] = await Promise.all([
      activity.find({ _id: { $in: idsOf('follow') } }, options).toArray(),
      repositories.find({ _id: { $in: idsOf('watch') } }, options).toArray(),
    ]);
    return [
      ...followed.flatMap(({ id, activeAt }) => this.#ranges({ actor: id }, part, each, +activeAt)),
      ...watched.flatMap(({ id, activeAt }) => this.#ranges({ repo: id }, part, each, +activeAt)),
    ].toSorted((a, b) => b.activeAt - a.activeAt);
  }
}

function found<T>(document: T | null): T {
  if (document === null) throw errors.not_found();
  return document;
}
