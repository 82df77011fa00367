/** The directory as the feeds read it: names to documents, and who may read what. */
import type { Account, Collection, Directory as People, Storage } from 'plugboard/sdk';
import {
  ACTIVITY,
  FORMER_NAMES,
  REPOSITORIES,
  TIES,
  tieId,
  type ActivityDocument,
  type FormerNameDocument,
  type RepositoryDocument,
  type TieDocument,
} from './documents.js';

interface DirectoryParts {
  /** The accounts, which all plugins share. */
  readonly people: People;
  readonly activity: Collection<ActivityDocument>;
  readonly repositories: Collection<RepositoryDocument>;
  readonly formerNames: Collection<FormerNameDocument>;
  readonly ties: Collection<TieDocument>;
}

export function directoryIn(storage: Storage, people: People): Directory {
  return new Directory({
    people,
    activity: storage.collection<ActivityDocument>(ACTIVITY),
    repositories: storage.collection<RepositoryDocument>(REPOSITORIES),
    formerNames: storage.collection<FormerNameDocument>(FORMER_NAMES),
    ties: storage.collection<TieDocument>(TIES),
  });
}

export class Directory implements DirectoryParts {
  /** The accounts, which all plugins share. */
  readonly people: People;
  readonly activity: Collection<ActivityDocument>;
  readonly repositories: Collection<RepositoryDocument>;
  readonly formerNames: Collection<FormerNameDocument>;
  readonly ties: Collection<TieDocument>;

  constructor({ people, activity, repositories, formerNames, ties }: DirectoryParts) {
    this.people = people;
    this.activity = activity;
    this.repositories = repositories;
    this.formerNames = formerNames;
    this.ties = ties;
  }

  async user(login: string): Promise<Account | null> {
    const found = await this.people.byLogin(login);
    return found?.type === 'User' ? found : null;
  }

  async organization(login: string): Promise<Account | null> {
    const found = await this.people.byLogin(login);
    return found?.type === 'Organization' ? found : null;
  }

  repository(owner: string, name: string): Promise<RepositoryDocument | null> {
    return this.repositories.findOne({ key: `${owner}/${name}`.toLowerCase() });
  }

  repositoryById(id: number): Promise<RepositoryDocument | null> {
    return this.repositories.findOne({ _id: String(id) });
  }

  /** The repository that had this name before a rename. */
  async repositoryOnceCalled(owner: string, name: string): Promise<RepositoryDocument | null> {
    const former = await this.formerNames.findOne({ _id: `${owner}/${name}`.toLowerCase() });
    return former && this.repositoryById(former.repository);
  }

  async repositoriesById(ids: readonly number[]): Promise<Map<number, RepositoryDocument>> {
    if (ids.length === 0) return new Map();
    const found = await this.repositories.find({ _id: { $in: ids.map(String) } }, { shared: true }).toArray();
    return new Map(found.map((repository) => [repository.id, repository]));
  }

  isMember(user: number, organization: number): Promise<boolean> {
    return this.#has({ kind: 'member', user, target: organization });
  }

  /** What the user follows and watches. */
  followed(user: number): Promise<readonly TieDocument[]> {
    return this.ties.find({ user, kind: { $in: ['follow', 'watch'] } }).toArray();
  }

  /** The private ones among these repositories that the user may read. */
  async readable(user: number, repositories: readonly RepositoryDocument[]): Promise<Set<number>> {
    const others = repositories.filter(({ owner }) => owner !== user);
    const wanted = others.flatMap(({ id, owner }) => [
      tieId({ kind: 'collaborator', user, target: id }),
      tieId({ kind: 'member', user, target: owner }),
    ]);
    const ties =
      wanted.length === 0
        ? []
        : await this.ties.find({ _id: { $in: [...new Set(wanted)] } }, { projection: { _id: 1 } }).toArray();
    const held = new Set(ties.map(({ _id }) => _id));
    const isReadable = ({ id, owner }: RepositoryDocument): boolean =>
      owner === user ||
      held.has(tieId({ kind: 'collaborator', user, target: id })) ||
      held.has(tieId({ kind: 'member', user, target: owner }));
    return new Set(repositories.filter(isReadable).map(({ id }) => id));
  }

  /** Whether the user owns the repository or is its collaborator. */
  async administers(user: number, { id, owner }: RepositoryDocument): Promise<boolean> {
    return owner === user || this.#has({ kind: 'collaborator', user, target: id });
  }

  async #has(tie: Omit<TieDocument, '_id'>): Promise<boolean> {
    return (await this.ties.findOne({ _id: tieId(tie) })) !== null;
  }
}
