/** The error of a unique index over documents that share a key. */
import { type IndexSpec, StorageError } from 'plugboard/sdk';

/** Most documents that the error names. */
export const DUPLICATES_NAMED = 10;

/** `ids`: documents that share a key; empty if unknown. */
export function duplicatesRefused(
  collection: string,
  { keys }: IndexSpec,
  ids: readonly string[],
): StorageError {
  const paths = Object.keys(keys);
  const named = ids.length === 0 ? 'some documents' : `the documents ${ids.map(quoted).join(', ')}`;
  return new StorageError(
    'duplicate_key',
    `cannot build the unique index on ${paths.join(', ')} of "${collection}": ${named} share a value; ` +
      'remove the duplicates and start again',
    { index: paths.join(','), documents: ids },
  );
}

function quoted(id: string): string {
  return JSON.stringify(id.length > 100 ? `${id.slice(0, 100)}...` : id);
}
