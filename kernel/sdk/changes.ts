/** Changes that leave the server: a plugin notes what it changed, and endpoints of the operator are told. */
import type { Transaction } from './storage.js';

/** Made for each plugin: its id is the source of what it notes. */
export interface Changes {
  /** False where the store has no transactions: then nothing is noted, and nobody needs to open one for it. */
  readonly on: boolean;
  /**
   * Notes a change in the transaction that makes it: delivered at least once to every endpoint that wants its type, in
   * order for a subject, after the commit. Nothing is written for a type that no endpoint wants.
   */
  record(tx: Transaction, change: NotedChange): Promise<void>;
}

export interface NotedChange {
  /** Dotted: `v2.core.account.updated`. */
  readonly type: string;
  /** What changed: an id, unique in the plugin. */
  readonly subject: string;
  /** Rises with every change of the subject, e.g. a version that the transaction writes. */
  readonly order: number;
  /** JSON. It leaves the server: ids and names of members, no secrets. */
  readonly data: object;
}
