import type { Document } from '../storage/document.js';
import type { Collection } from '../storage/port.js';

/** Sealing and authentication of what is at rest, with the server's own key. */
export interface Secrets {
  /** Encrypts and authenticates (AES-256-GCM). `context` is bound to the result: open it with the same one. */
  seal(plain: string, context: string): string;
  /** Throws when the text was changed, the context differs, or its key is no longer listed. */
  open(sealed: string, context: string): string;
  /**
   * A code of the text (HMAC-SHA256), bound to `context`: tells whether a text is the same one as before to whoever has
   * the key, and nothing to a reader of the store.
   */
  mac(text: string, context: string): string;
  /** Whether `mac` is the code of this text and context. Throws when its key is no longer listed. */
  isMac(mac: string, text: string, context: string): boolean;
  /**
   * Says where the plugin keeps texts that it has sealed and that last, for `plugboard secrets reseal`: at a path of a
   * collection's documents, in the context of the document's id. Call it in `setup`. `what` is for people.
   */
  keeps<D extends Document>(
    what: string,
    collection: Collection<D>,
    path: string,
    context: (id: string) => string,
  ): void;
}
