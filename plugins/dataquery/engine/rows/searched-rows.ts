/** The rows of a relation with searched columns: each is written with the lexemes of its texts. */
import type { Collection, Transaction, WriteOperation } from 'plugboard/sdk';
import type { Column } from '../catalog/model.js';
import type { StoredRow } from '../values/stored.js';
import { withWords } from '../words/word-index.js';

/** `rows` itself if no column is searched. Rows are inserted and replaced as a whole, never updated in part. */
export function searchedRows(
  rows: Collection<StoredRow>,
  searched: readonly Column[],
): Collection<StoredRow> {
  if (searched.length === 0) return rows;
  return new Proxy(rows, {
    get(target, name) {
      switch (name) {
        case 'with':
          return (tx: Transaction) => searchedRows(target.with(tx), searched);
        case 'insertMany':
          return (added: readonly StoredRow[]) =>
            target.insertMany(added.map((row) => withWords(searched, row)));
        case 'bulkWrite':
          return (operations: readonly WriteOperation<StoredRow>[]) =>
            target.bulkWrite(operations.map((operation) => withWordsIn(operation, searched)));
        default: {
          const member: unknown = Reflect.get(target, name, target);
          return typeof member === 'function' ? (member.bind(target) as unknown) : member;
        }
      }
    },
  });
}

function withWordsIn(
  operation: WriteOperation<StoredRow>,
  searched: readonly Column[],
): WriteOperation<StoredRow> {
  if (!('replaceOne' in operation)) return operation;
  const { replaceOne } = operation;
  return { replaceOne: { ...replaceOne, replacement: withWords(searched, replaceOne.replacement) } };
}
