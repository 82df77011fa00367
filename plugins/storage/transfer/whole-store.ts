/** A whole store of either kind, as export and import see it. */
import type { Collection, Document } from 'plugboard/sdk';

export interface WholeStore {
  /** Identifies the data, for file names: to continue an interrupted import. */
  readonly id: string;
  /** The folder of the store, if it is on this machine. */
  readonly directory: string | undefined;
  /** As `namespace/name`. */
  collections(): Promise<string[]>;
  /** Opens a collection with whatever indexes it has; creates it if missing. */
  open(name: string): Promise<Collection<Document>>;
}

/** Documents per page. */
export const PAGE = 500;
