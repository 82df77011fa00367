/** The ties of a batch, from names to ids. */
import type { TieKind } from '../directory/documents.js';
import type { TieEntries } from './batch.js';

export interface NamedTie {
  readonly kind: TieKind;
  readonly user: string;
  readonly target: { readonly in: 'accounts' | 'repositories'; readonly name: string };
  /** Its position in the batch. */
  readonly field: string;
}

export function namedTies(entries: TieEntries, part: 'put' | 'remove'): NamedTie[] {
  const { members = [], collaborators = [], follows = [], watches = [] } = entries;
  const account = (name: string) => ({ in: 'accounts', name }) as const;
  const repository = (name: string) => ({ in: 'repositories', name }) as const;
  return [
    ...members.map(({ user, organization }, at): NamedTie => ({
      kind: 'member',
      user,
      target: account(organization),
      field: `${part}.members.${at}`,
    })),
    ...collaborators.map(({ user, repository: name }, at): NamedTie => ({
      kind: 'collaborator',
      user,
      target: repository(name),
      field: `${part}.collaborators.${at}`,
    })),
    ...follows.map(({ user, follows: name }, at): NamedTie => ({
      kind: 'follow',
      user,
      target: account(name),
      field: `${part}.follows.${at}`,
    })),
    ...watches.map(({ user, repository: name }, at): NamedTie => ({
      kind: 'watch',
      user,
      target: repository(name),
      field: `${part}.watches.${at}`,
    })),
  ];
}
