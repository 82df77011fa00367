/** All of a store, whichever it is: what export and import work on. */
import type { Collection, Document } from 'plugboard/sdk';

export interface WholeStore {
  /** The same for the same data, in file names: to go on with an import that was broken off. */
  readonly id: string;
  /** Where it lives, when that is a folder of this machine. */
  readonly directory: string | undefined;
  /** As `namespace/name`. */
  collections(): Promise<string[]>;
  /** As it is, whatever indexes it has; it is made where there is none. */
  open(name: string): Promise<Collection<Document>>;
}

/** How many documents are read or written at once. */
export const PAGE = 500;
