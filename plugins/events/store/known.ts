/** Adds the accounts and repositories that events name to the directory, and keeps when they were active last. */
import type { Collection, Transaction, WriteOperation } from 'plugboard/sdk';
import type { Directory } from '../directory/directory.js';
import type { AccountDocument, RepositoryDocument } from '../directory/documents.js';
import type { EventDocument } from './documents.js';
import type { WholeEvent } from './text.js';

type Fresh = Pick<WholeEvent, 'actor' | 'repo' | 'org' | 'public' | 'at'>;

/**
 * What the directory knows stays as it is: an archive may be older. A name that another id holds is not added again.
 * An unknown repository is as public as its first event. Answers the ids of the repositories that are private.
 */
export async function addKnown(
  tx: Transaction,
  directory: Directory,
  events: Collection<EventDocument>,
  fresh: readonly Fresh[],
): Promise<ReadonlySet<number>> {
  const accounts = new Map<number, AccountDocument>();
  const repositories = new Map<number, RepositoryDocument>();
  const owners = new Map<string, number>();
  for (const { actor, repo, org, public: isPublic, at } of fresh) {
    note(accounts, accountOf(actor, 'User', at));
    if (org !== undefined) note(accounts, accountOf(org, 'Organization', at));
    note(repositories, repositoryOf(repo, isPublic, at));
  }
  await add(directory.accounts.with(tx), accounts, (ids) => newestOf(events.with(tx), 'actor', ids));
  for (const { key, id } of await ownersOf(tx, directory, repositories)) owners.set(key, id);
  for (const [id, repository] of repositories) {
    const [owner = ''] = repository.key.split('/');
    repositories.set(id, { ...repository, owner: owners.get(owner) ?? 0 });
  }
  await add(directory.repositories.with(tx), repositories, (ids) => newestOf(events.with(tx), 'repo', ids));
  const found = await directory.repositories
    .with(tx)
    .find({ _id: { $in: [...repositories.keys()].map(String) }, private: true }, { projection: { id: 1 } })
    .toArray();
  return new Set(found.map(({ id }) => id));
}

type Entry = AccountDocument | RepositoryDocument;

function note<E extends Entry>(entries: Map<number, E>, entry: E): void {
  const noted = entries.get(entry.id);
  if (noted === undefined || noted.activeAt < entry.activeAt)
    entries.set(entry.id, { ...entry, ...noted, activeAt: entry.activeAt });
}

function accountOf(
  { id, login, imageId = '', avatarUrl }: WholeEvent['actor'],
  type: AccountDocument['type'],
  activeAt: Date,
): AccountDocument {
  const key = login.toLowerCase();
  return { _id: String(id), id, login, key, type, imageId, avatarUrl: avatarUrl ?? null, activeAt };
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

async function ownersOf(
  tx: Transaction,
  directory: Directory,
  repositories: ReadonlyMap<number, RepositoryDocument>,
): Promise<AccountDocument[]> {
  const keys = new Set([...repositories.values()].map(({ key }) => key.split('/')[0] ?? ''));
  return directory.accounts
    .with(tx)
    .find({ key: { $in: [...keys] } }, { projection: { id: 1, key: 1 } })
    .toArray();
}

async function add<E extends Entry>(
  collection: Collection<E>,
  entries: ReadonlyMap<number, E>,
  newest: (ids: readonly number[]) => Promise<ReadonlyMap<number, Date>>,
): Promise<void> {
  const all = [...entries.values()];
  const found = await collection
    .find({ _id: { $in: all.map(({ _id }) => _id) } } as never, { projection: { activeAt: 1 } as never })
    .toArray();
  const known = new Map(found.map(({ _id, activeAt }) => [_id, activeAt]));
  const absent = all.filter(({ _id }) => !known.has(_id));
  const named = await collection
    .find({ key: { $in: absent.map(({ key }) => key) } } as never, { projection: { key: 1 } as never })
    .toArray();
  const taken = new Set(named.map(({ key }) => key));
  const earlier = await newest(absent.map(({ id }) => id));
  const operations: WriteOperation<E>[] = [];
  for (const entry of all) {
    const activeAt = known.get(entry._id);
    if (activeAt === undefined) {
      if (taken.has(entry.key)) continue;
      taken.add(entry.key);
      const before = earlier.get(entry.id) ?? entry.activeAt;
      operations.push({ insertOne: before > entry.activeAt ? { ...entry, activeAt: before } : entry });
    } else if (activeAt < entry.activeAt) {
      const update = { $max: { activeAt: entry.activeAt } };
      operations.push({ updateOne: { filter: { _id: entry._id } as never, update } });
    }
  }
  if (operations.length > 0) await collection.bulkWrite(operations);
}

/** When those of the ids were active last that have events although the directory does not know them. */
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
