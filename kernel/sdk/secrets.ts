/** Sealing of secrets at rest, with the server's own key. */
export interface Secrets {
  /** Encrypts and authenticates (AES-256-GCM). `context` is bound to the result: open it with the same one. */
  seal(plain: string, context: string): string;
  /** Throws when the text was changed, the context differs, or its key is no longer listed. */
  open(sealed: string, context: string): string;
}
