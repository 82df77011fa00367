/**
 * The directory at one version: reads are cached, as only a new version changes them. Accounts and repositories may be
 * added without one, by the first event that names them, so missing ones are read again. When they were last active
 * changes with every event and is not cached.
 */
import { LRUCache } from 'lru-cache';
import type { Account } from 'plugboard/sdk';
import { Directory } from './directory.js';
import type { RepositoryDocument, TieDocument } from './documents.js';

/** Documents; a list of ties has up to `maxFollowed` of them. */
const MOST_KEPT = 10_000;
const MOST_TIE_LISTS = 100;

export class DirectoryView extends Directory {
  readonly version: number;
  readonly #kept = new LRUCache<string, Account | RepositoryDocument>({ max: MOST_KEPT });
  readonly #followed = new LRUCache<number, readonly TieDocument[]>({ max: MOST_TIE_LISTS });

  constructor(directory: Directory, version: number) {
    super(directory);
    this.version = version;
  }

  override user(login: string): Promise<Account | null> {
    return this.#read(`u ${login.toLowerCase()}`, () => super.user(login));
  }

  override organization(login: string): Promise<Account | null> {
    return this.#read(`o ${login.toLowerCase()}`, () => super.organization(login));
  }

  override repository(owner: string, name: string): Promise<RepositoryDocument | null> {
    return this.#read(`n ${owner}/${name}`.toLowerCase(), () => super.repository(owner, name));
  }

  override repositoryById(id: number): Promise<RepositoryDocument | null> {
    return this.#read(`r ${id}`, () => super.repositoryById(id));
  }

  override async repositoriesById(ids: readonly number[]): Promise<Map<number, RepositoryDocument>> {
    const found = new Map<number, RepositoryDocument>();
    const absent: number[] = [];
    for (const id of ids) {
      const kept = this.#kept.get(`r ${id}`) as RepositoryDocument | undefined;
      if (kept === undefined) absent.push(id);
      else found.set(id, kept);
    }
    for (const [id, repository] of await super.repositoriesById(absent)) {
      this.#kept.set(`r ${id}`, repository);
      found.set(id, repository);
    }
    return found;
  }

  override async followed(user: number): Promise<readonly TieDocument[]> {
    const kept = this.#followed.get(user);
    if (kept !== undefined) return kept;
    const ties = await super.followed(user);
    this.#followed.set(user, ties);
    return ties;
  }

  async #read<D extends Account | RepositoryDocument>(
    key: string,
    read: () => Promise<D | null>,
  ): Promise<D | null> {
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept as D;
    const found = await read();
    if (found !== null) this.#kept.set(key, found);
    return found;
  }
}
