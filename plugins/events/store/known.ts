/** Adds the accounts and repositories of events to the directory, and records when they were last active. */
import type { Collection, Directory as People, ExternalAccount, Transaction } from 'plugboard/sdk';
import type { Directory } from '../directory/directory.js';
import type { ActivityDocument, RepositoryDocument } from '../directory/documents.js';
import type { EventDocument } from './documents.js';
import type { WholeEvent } from './text.js';

interface KnownRepositories {
  /** Ids that the directory has now. */
  readonly present: ReadonlySet<number>;
  /** The private ones among them. */
  readonly hidden: ReadonlySet<number>;
  /** An added repository is private and has earlier events, which nothing hid until now. */
  readonly hides: boolean;
}

type Fresh = Pick<WholeEvent, 'actor' | 'repo' | 'org' | 'public' | 'at'>;

/**
 * The directory's entries stay unchanged: an archive may be older. A name that another id holds is not added again. An
 * unknown repository is as public as its first event.
 */
export async function addKnown(
  tx: Transaction,
  directory: Directory,
  events: Collection<EventDocument>,
  fresh: readonly Fresh[],
): Promise<KnownRepositories> {
  const accounts = new Map<number, Seen>();
  const repositories = new Map<number, RepositoryDocument>();
  for (const { actor, repo, org, public: isPublic, at } of fresh) {
    note(accounts, accountOf(actor, 'User', at));
    if (org !== undefined) note(accounts, accountOf(org, 'Organization', at));
    note(repositories, repositoryOf(repo, isPublic, at));
  }
  const earlier = (path: 'actor' | 'repo') => (ids: readonly number[]) =>
    newestOf(events.with(tx), path, ids);
  const people = directory.people.with(tx);
  await add<ActivityDocument, Seen>(directory.activity.with(tx), accounts, {
    newest: earlier('actor'),
    complete: (absent) => entered(people, absent),
  });
  let before: ReadonlyMap<number, Date> = new Map();
  const known = await add(directory.repositories.with(tx), repositories, {
    newest: async (ids) => (before = await earlier('repo')(ids)),
    complete: async (absent) =>
      withOwners(people, await withFreeNames(directory.repositories.with(tx), absent)),
  });
  const hidden = known.filter((repository) => repository.private).map(({ id }) => id);
  const present = new Set(known.map(({ id }) => id));
  return { present, hidden: new Set(hidden), hides: hidden.some((id) => before.has(id)) };
}

type Entry = ActivityDocument | RepositoryDocument;
/** An account as an event names it. */
type Seen = ActivityDocument & ExternalAccount;

function note<E extends Entry>(entries: Map<number, E>, entry: E): void {
  const noted = entries.get(entry.id);
  if (noted === undefined || noted.activeAt < entry.activeAt)
    entries.set(entry.id, { ...entry, ...noted, activeAt: entry.activeAt });
}

function accountOf(
  { id, login, imageId = '', avatarUrl }: WholeEvent['actor'],
  type: ExternalAccount['type'],
  activeAt: Date,
): Seen {
  return { _id: String(id), id, login, type, imageId, avatarUrl: avatarUrl ?? null, activeAt };
}

/** Ensures that the accounts are in the server's directory. */
async function entered(people: People, absent: readonly Seen[]): Promise<ActivityDocument[]> {
  await people.note(
    absent.map(({ id, login, type, imageId, avatarUrl }) => ({ id, login, type, imageId, avatarUrl })),
  );
  return absent.map(({ _id, id, activeAt }) => ({ _id, id, activeAt }));
}

function repositoryOf(
  { id, name }: WholeEvent['repo'],
  isPublic: boolean,
  activeAt: Date,
): RepositoryDocument {
  const key = name.toLowerCase();
  return {
    _id: String(id),
    id,
    name,
    key,
    owner: 0,
    private: !isPublic,
    parent: null,
    network: id,
    activeAt,
  };
}

async function withOwners(
  people: People,
  repositories: readonly RepositoryDocument[],
): Promise<RepositoryDocument[]> {
  const owners = await people.byLogins(repositories.map(ownerKey));
  return repositories.map((repository) => ({
    ...repository,
    owner: owners.get(ownerKey(repository))?.id ?? 0,
  }));
}

function ownerKey({ key }: RepositoryDocument): string {
  return key.split('/')[0] ?? '';
}

interface AddOptions<E, S> {
  /** Last activity of those ids that have events already. */
  readonly newest: (ids: readonly number[]) => Promise<ReadonlyMap<number, Date>>;
  /** From event data to documents; leaves out what may not be stored. */
  readonly complete: (absent: readonly S[]) => Promise<readonly E[]>;
}

/** Adds missing entries, and records the activity of existing ones. Returns all that exist then. */
async function add<E extends Entry, S extends E>(
  collection: Collection<E>,
  entries: ReadonlyMap<number, S>,
  { newest, complete }: AddOptions<E, S>,
): Promise<E[]> {
  const all = [...entries.values()];
  const found = await collection
    .find({ _id: { $in: all.map(({ _id }) => _id) } } as never, { shared: true })
    .toArray();
  const known = new Map(found.map((entry) => [entry._id, entry]));
  const later = all.filter(({ _id, activeAt }) => (known.get(_id)?.activeAt ?? activeAt) < activeAt);
  for (const { ids, until } of spans(later))
    await collection.updateMany({ _id: { $in: ids } } as never, { $max: { activeAt: until } });
  const absent = all.filter(({ _id }) => !known.has(_id));
  if (absent.length === 0) return found;
  const earlier = await newest(absent.map(({ id }) => id));
  const added = (await complete(absent)).map((entry) => {
    const newestAt = Math.max(+entry.activeAt, +(earlier.get(entry.id) ?? 0));
    return { ...entry, activeAt: new Date(newestAt + LEAD) };
  });
  if (added.length > 0) await collection.insertMany(added);
  return [...found, ...added];
}

/** Entries whose times are this close, in milliseconds, share the latest: `activeAt` may be later. */
const SPAN = 10 * 60 * 1_000;
/** `activeAt` is set to this much after the event, in milliseconds, to cover events that follow soon. */
const LEAD = 5 * 60 * 1_000;
/** Entries per update, which a store runs in one go. */
const MOST_TOGETHER = 100;

function spans(entries: readonly Entry[]): { readonly ids: readonly string[]; readonly until: Date }[] {
  const made: { readonly ids: string[]; readonly newest: number }[] = [];
  for (const { _id, activeAt } of entries.toSorted((a, b) => +b.activeAt - +a.activeAt)) {
    const last = made.at(-1);
    if (last !== undefined && last.ids.length < MOST_TOGETHER && last.newest - +activeAt <= SPAN)
      last.ids.push(_id);
    else made.push({ ids: [_id], newest: +activeAt });
  }
  return made.map(({ ids, newest }) => ({ ids, until: new Date(newest + LEAD) }));
}

/** Without entries whose name is taken, also by an earlier one. */
async function withFreeNames(
  collection: Collection<RepositoryDocument>,
  repositories: readonly RepositoryDocument[],
): Promise<RepositoryDocument[]> {
  const found = await collection
    .find({ key: { $in: repositories.map(({ key }) => key) } }, { projection: { key: 1 } })
    .toArray();
  const taken = new Set(found.map(({ key }) => key));
  return repositories.filter(({ key }) => !taken.has(key) && taken.add(key));
}

/** Last activity of the ids that have events although the directory does not know them. */
export async function newestOf(
  events: Collection<EventDocument>,
  path: 'actor' | 'repo',
  ids: readonly number[],
): Promise<Map<number, Date>> {
  const newest = new Map<number, Date>();
  if (ids.length === 0) return newest;
  // The common case, none at all, is one read.
  const some = await events.findOne({ [path]: { $in: ids } } as never, { projection: { _id: 1 } });
  if (some === null) return newest;
  for (const id of ids) {
    for (const isPublic of [true, false]) {
      const [last] = await events
        .find({ [path]: id, public: isPublic } as never, {
          sort: { at: -1, _id: -1 },
          limit: 1,
          projection: { at: 1 },
        })
        .toArray();
      if (last !== undefined && last.at > (newest.get(id) ?? 0)) newest.set(id, last.at);
    }
  }
  return newest;
}
