/**
 * What is stored in addition to the accounts of the server's directory: their activity, repositories and former names,
 * and ties.
 */
import type { CollectionSpec, Document } from 'plugboard/sdk';

/** When an account was last active; its identity is in the server's directory. */
export interface ActivityDocument extends Document {
  /** The id in digits. */
  readonly _id: string;
  readonly id: number;
  /** Not before the newest event of the account; may be later. */
  readonly activeAt: Date;
}

export interface RepositoryDocument extends Document {
  readonly _id: string;
  readonly id: number;
  /** `owner/name`, and the same in lower case. */
  readonly name: string;
  readonly key: string;
  /** The id of the owner's account. */
  readonly owner: number;
  readonly private: boolean;
  /** The repository that this one is a direct fork of; null if it is not a fork. */
  readonly parent: number | null;
  /** The root of the fork network; its own id for a root. */
  readonly network: number;
  /** Not before the newest event of the repository; may be later. */
  readonly activeAt: Date;
}

/** A former name of a repository. One that has it now takes precedence. */
export interface FormerNameDocument extends Document {
  /** `owner/name` in lower case. */
  readonly _id: string;
  /** The id of the repository. */
  readonly repository: number;
}

/** `member`: of an organization; `collaborator`, `watch`: of a repository; `follow`: of a user. */
export type TieKind = 'member' | 'collaborator' | 'follow' | 'watch';

export interface TieDocument extends Document {
  /** `kind:user:target`. */
  readonly _id: string;
  readonly kind: TieKind;
  readonly user: number;
  readonly target: number;
}

export function tieId({ kind, user, target }: Omit<TieDocument, '_id'>): string {
  return `${kind}:${user}:${target}`;
}

export const ACTIVITY: CollectionSpec = { name: 'activity' };

export const REPOSITORIES: CollectionSpec = {
  name: 'repositories',
  indexes: [
    { keys: { key: 1 }, unique: true },
    { keys: { network: 1, activeAt: -1, _id: -1 } },
    { keys: { owner: 1, private: 1 } },
    { keys: { parent: 1 } },
  ],
};

export const FORMER_NAMES: CollectionSpec = {
  name: 'former_names',
  indexes: [{ keys: { repository: 1 } }],
};

export const TIES: CollectionSpec = {
  name: 'ties',
  indexes: [{ keys: { user: 1, kind: 1, target: 1 } }, { keys: { target: 1, kind: 1 } }],
};
