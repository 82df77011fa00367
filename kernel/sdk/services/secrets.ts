import type { Document } from '../storage/document.js';
import type { Collection } from '../storage/port.js';

/** Encryption and authentication at rest, with the server's own key. */
export interface Secrets {
  /** Encrypts and authenticates (AES-256-GCM). `context` is bound to the result: `open` needs the same one. */
  seal(plain: string, context: string): string;
  /** Throws if the text was changed, the context differs, or its key is no longer listed. */
  open(sealed: string, context: string): string;
  /**
   * The text's HMAC-SHA256, bound to `context`: lets the holder of the key recognise the same text again, and tells a
   * reader of the store nothing.
   */
  mac(text: string, context: string): string;
  /** Whether `mac` is that of this text and context. Throws if its key is no longer listed. */
  isMac(mac: string, text: string, context: string): boolean;
  /**
   * Declares where the plugin keeps long-lived sealed texts, for `plugboard secrets reseal`: a path in a collection's
   * documents, with a context made from the document's id. Call it in `setup`. `what` is for people.
   */
  keeps<D extends Document>(
    what: string,
    collection: Collection<D>,
    path: string,
    context: (id: string) => string,
  ): void;
}
