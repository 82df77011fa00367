/** What a store offers so that everything in it can be carried to another store. */
import type { Collection, Document } from '../../../sdk/storage.js';

export interface Transferable {
  /** `namespace/name` of every collection that is stored, sorted. */
  names(): Promise<string[]>;
  /** The collection as it is; made, without indexes, when it is not there and nobody declared it. */
  open(name: string): Collection<Document>;
}

/** Where a store remembers an import: no part of any export. */
export const IMPORTS = 'storage/imports';
