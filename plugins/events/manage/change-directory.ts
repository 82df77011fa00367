/** Changes the directory: one batch, one transaction. */
import {
  isServiceError,
  isStorageError,
  type Account,
  type Collection,
  type Directory as People,
  type Storage,
  type Transaction,
} from 'plugboard/sdk';
import type { Directory } from '../directory/directory.js';
import type { DirectoryVersion } from '../directory/version.js';
import {
  tieId,
  type ActivityDocument,
  type FormerNameDocument,
  type RepositoryDocument,
  type TieDocument,
} from '../directory/documents.js';
import { validationFailed, type FieldError } from '../errors.js';
import type { EventDocument } from '../store/documents.js';
import { newestOf } from '../store/known.js';
import {
  MOST_ENTRIES,
  type AccountEntry,
  type DirectoryBatch,
  type PutEntries,
  type RemoveEntries,
  type RepositoryEntry,
} from './batch.js';
import { isForkOf, MOST_MOVED, moveNetwork } from './networks.js';
import { namedTies, type NamedTie } from './ties.js';

export interface ChangeParts {
  readonly storage: Storage;
  readonly directory: Directory;
  readonly events: Collection<EventDocument>;
  readonly version: DirectoryVersion;
  /** Users and repositories that one user may follow and watch. */
  readonly maxFollowed: number;
}

export interface DirectoryChange {
  readonly put: number;
  readonly removed: number;
  /** Ids of repositories that turned private: their events are to be withdrawn. */
  readonly withdrawn: readonly number[];
  /** Ids of repositories that were removed. */
  readonly gone: readonly number[];
}

/** Throws `validation_failed` with the position in the batch; then nothing is changed. */
export async function changeDirectory(parts: ChangeParts, batch: DirectoryBatch): Promise<DirectoryChange> {
  const sizes = [batch.put, batch.remove].flatMap((part) =>
    Object.values(part ?? {}).map(({ length }) => length),
  );
  if (sizes.reduce((sum, size) => sum + size, 0) > MOST_ENTRIES) {
    throw refused('', 'invalid', `a batch holds at most ${MOST_ENTRIES} entries`);
  }
  try {
    return await parts.storage.transaction(async (tx) => {
      const change = new Change(parts, tx);
      const removed = await change.remove(batch.remove ?? {});
      const put = await change.put(batch.put ?? {});
      await parts.version.raise(tx);
      return { put, removed, withdrawn: change.withdrawn, gone: change.gone };
    });
  } catch (error) {
    if (!isStorageError(error, 'duplicate_key')) throw error;
    throw refused('put', 'already_exists', 'a login or a repository name is taken by another id');
  }
}

class Change {
  readonly withdrawn: number[] = [];
  readonly gone: number[] = [];
  #moved = 0;
  readonly #parts: ChangeParts;
  readonly #people: People;
  readonly #activity: Collection<ActivityDocument>;
  readonly #repositories: Collection<RepositoryDocument>;
  readonly #formerNames: Collection<FormerNameDocument>;
  readonly #ties: Collection<TieDocument>;
  readonly #events: Collection<EventDocument>;

  constructor(parts: ChangeParts, tx: Transaction) {
    this.#parts = parts;
    this.#people = parts.directory.people.with(tx);
    this.#activity = parts.directory.activity.with(tx);
    this.#repositories = parts.directory.repositories.with(tx);
    this.#formerNames = parts.directory.formerNames.with(tx);
    this.#ties = parts.directory.ties.with(tx);
    this.#events = parts.events.with(tx);
  }

  async put(entries: PutEntries): Promise<number> {
    const { users = [], organizations = [], repositories = [] } = entries;
    for (const [at, one] of users.entries()) await this.#putAccount(one, 'User', `put.users.${at}`);
    for (const [at, one] of organizations.entries())
      await this.#putAccount(one, 'Organization', `put.organizations.${at}`);
    for (const [at, one] of repositories.entries()) await this.#putRepository(one, `put.repositories.${at}`);
    const ties = namedTies(entries, 'put');
    for (const tie of ties) {
      const document = await this.#tie(tie);
      await this.#ties.updateOne({ _id: document._id }, { $setOnInsert: document }, { upsert: true });
    }
    await this.#refuseTooManyFollowed(ties);
    return users.length + organizations.length + repositories.length + ties.length;
  }

  async remove(entries: RemoveEntries): Promise<number> {
    const { users = [], organizations = [], repositories = [] } = entries;
    const ties = namedTies(entries, 'remove');
    let removed = 0;
    for (const tie of ties) removed += await this.#ties.deleteOne({ _id: (await this.#tie(tie))._id });
    for (const [at, name] of repositories.entries())
      removed += await this.#removeRepository(name, `remove.repositories.${at}`);
    for (const [at, login] of users.entries())
      removed += await this.#removeAccount(login, 'User', `remove.users.${at}`);
    for (const [at, login] of organizations.entries())
      removed += await this.#removeAccount(login, 'Organization', `remove.organizations.${at}`);
    return removed;
  }

  async #putAccount(
    { id, login, image_id: imageId, avatar_url: avatarUrl }: AccountEntry,
    type: Account['type'],
    field: string,
  ): Promise<void> {
    const known = await this.#people.byId(id);
    if (known !== null && known.type !== type)
      throw refused(
        `${field}.id`,
        'invalid',
        `${id} is the id of ${known.type === 'User' ? 'a user' : 'an organization'}`,
      );
    try {
      await this.#people.putExternal({ id, login, type, imageId, avatarUrl: avatarUrl ?? null });
    } catch (error) {
      if (!isServiceError(error)) throw error;
      throw refused(field, 'already_exists', error.message);
    }
    if ((await this.#activity.findOne({ _id: String(id) })) !== null) return;
    const activeAt = (await newestOf(this.#events, 'actor', [id])).get(id) ?? new Date(0);
    await this.#activity.insertOne({ _id: String(id), id, activeAt });
  }

  async #putRepository(entry: RepositoryEntry, field: string): Promise<void> {
    const { id, name, private: isPrivate } = entry;
    const key = name.toLowerCase();
    const owner = await this.#account(key.split('/')[0] ?? '', `${field}.name`);
    const parent =
      entry.parent === undefined ? null : await this.#repository(entry.parent, `${field}.parent`);
    const known = await this.#repositories.findOne({ _id: String(id) });
    // What is new, or of another network, has no fork there.
    if (
      parent !== null &&
      known?.network === parent.network &&
      (await isForkOf(this.#repositories, parent, id))
    )
      throw refused(
        `${field}.parent`,
        'invalid',
        'a repository cannot be a fork of itself or of its own fork',
      );
    const fields = { name, key, owner: owner.id, private: isPrivate, parent: parent?.id ?? null };
    const network = parent?.network ?? id;
    if (known === null) {
      const activeAt = (await newestOf(this.#events, 'repo', [id])).get(id) ?? new Date(0);
      await this.#repositories.insertOne({ _id: String(id), id, ...fields, network, activeAt });
      return;
    }
    await this.#repositories.updateOne({ _id: known._id }, { $set: fields });
    if (known.key !== key)
      await this.#formerNames.updateOne({ _id: known.key }, { $set: { repository: id } }, { upsert: true });
    if (known.network !== network) await this.#move(known.id, network, `${field}.parent`);
    if (isPrivate && !known.private) this.withdrawn.push(id);
  }

  async #move(id: number, network: number, field: string): Promise<void> {
    const moved = await moveNetwork(this.#repositories, id, network, MOST_MOVED - this.#moved);
    if (moved === undefined)
      throw refused(field, 'invalid', `a change moves at most ${MOST_MOVED} repositories with their forks`);
    this.#moved += moved;
  }

  async #removeAccount(login: string, type: Account['type'], field: string): Promise<number> {
    const account = await this.#people.byLogin(login);
    if (account?.type !== type) return 0;
    if (!account.external)
      throw refused(field, 'custom', `"${login}" is a user of this server: delete the user instead`);
    if ((await this.#repositories.findOne({ owner: account.id })) !== null)
      throw refused(field, 'custom', `"${login}" owns repositories: remove them first`);
    return Number(await this.#people.remove(account.id));
  }

  async #removeRepository(name: string, field: string): Promise<number> {
    const repository = await this.#repositories.findOne({ key: name.toLowerCase() });
    if (repository === null) return 0;
    if ((await this.#repositories.findOne({ parent: repository.id })) !== null)
      throw refused(field, 'custom', `"${name}" has forks: remove them first, or give them another parent`);
    // Without the repository, nothing would hide them.
    if (repository.private && (await this.#events.findOne({ repo: repository.id, public: true })) !== null)
      throw refused(
        field,
        'custom',
        `the public events of "${name}" are still being withdrawn: try again later`,
      );
    await this.#ties.deleteMany({ target: repository.id, kind: { $in: ['collaborator', 'watch'] } });
    await this.#formerNames.deleteMany({ repository: repository.id });
    this.gone.push(repository.id);
    return this.#repositories.deleteOne({ _id: repository._id });
  }

  async #tie({ kind, user, target, field }: NamedTie): Promise<TieDocument> {
    const from = await this.#account(user, `${field}.user`);
    const to =
      target.in === 'accounts'
        ? await this.#account(target.name, field)
        : await this.#repository(target.name, field);
    const wanted = kind === 'member' ? 'Organization' : 'User';
    if ('type' in to && to.type !== wanted)
      throw refused(
        field,
        'invalid',
        `"${target.name}" is not ${kind === 'member' ? 'an organization' : 'a user'}`,
      );
    if (from.type !== 'User') throw refused(`${field}.user`, 'invalid', `"${user}" is not a user`);
    const tie = { kind, user: from.id, target: to.id };
    return { _id: tieId(tie), ...tie };
  }

  async #account(login: string, field: string): Promise<Account> {
    const account = await this.#people.byLogin(login);
    if (account === null) throw refused(field, 'missing', `the directory knows no account "${login}"`);
    return account;
  }

  async #repository(name: string, field: string): Promise<RepositoryDocument> {
    const repository = await this.#repositories.findOne({ key: name.toLowerCase() });
    if (repository === null) throw refused(field, 'missing', `the directory knows no repository "${name}"`);
    return repository;
  }

  /** A page of received events reads each of them. */
  async #refuseTooManyFollowed(ties: readonly NamedTie[]): Promise<void> {
    const followers = ties.filter(({ kind }) => kind === 'follow' || kind === 'watch');
    for (const login of new Set(followers.map(({ user }) => user))) {
      const { id } = await this.#account(login, 'put.follows');
      const count = await this.#ties.countDocuments({ user: id, kind: { $in: ['follow', 'watch'] } });
      if (count > this.#parts.maxFollowed)
        throw refused(
          'put.follows',
          'custom',
          `"${login}" would follow and watch ${count}, and maxFollowed is ${this.#parts.maxFollowed}`,
        );
    }
  }
}

function refused(field: string, code: FieldError['code'], message: string): Error {
  return validationFailed({ resource: 'Directory', field, code, message });
}
