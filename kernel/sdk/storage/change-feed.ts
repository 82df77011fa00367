/** The changes of a collection, in the order in which they were stored. */
import type { Document } from './document.js';

/** Opaque and storable: a position in the change history. */
export type ResumeToken = string & { readonly resumeToken: unique symbol };

export type Change<D extends Document> =
  | { readonly kind: 'put'; readonly id: string; readonly document: D; readonly token: ResumeToken }
  | { readonly kind: 'delete'; readonly id: string; readonly token: ResumeToken };

export interface ChangeFeed<D extends Document> extends AsyncIterable<Change<D>> {
  /** The current position: resuming after it delivers every later change. */
  readonly token: ResumeToken;
  close(): Promise<void>;
}
