/** Checks of a grouping, for both stores. */
import { type Grouping, StorageError } from 'plugboard/sdk';

/** Throws `invalid`. */
export function checkGrouping({ by, folds = [], limit }: Grouping): void {
  for (const member of [...by, ...folds.map(({ of }) => of)]) {
    if (member === '' || member.startsWith('$') || /[.\0]/.test(member))
      throw new StorageError('invalid', `${JSON.stringify(member)} is not the name of a member`);
  }
  for (const { fold } of folds)
    if (!FOLDS.has(fold)) throw new StorageError('invalid', `unknown fold "${String(fold)}"`);
  if (limit !== undefined && !(Number.isInteger(limit) && limit >= 1))
    throw new StorageError('invalid', 'limit is a whole number from 1');
}

const FOLDS: ReadonlySet<string> = new Set(['count', 'sum', 'min', 'max']);
