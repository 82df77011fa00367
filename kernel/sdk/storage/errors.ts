/**
 * What the port throws: a `StorageError` with a code.
 *
 * - `duplicate_key`   a unique index refuses the write; that single write stored nothing.
 * - `write_conflict`  a transaction still conflicts with others after its retries; nothing was stored.
 * - `unavailable`     the store cannot be reached; the caller may retry. Answered as 503.
 * - `too_large`       a document is over 16 MiB.
 * - `invalid`         the call itself is wrong: unknown operator, `$inc` on a string, an id of a wrong type.
 * - `unsupported`     this deployment cannot do it (transactions on a standalone MongoDB server).
 * - `history_lost`    a resume token is older than the kept change history; read everything again.
 */
export type StorageErrorCode =
  | 'duplicate_key'
  | 'write_conflict'
  | 'unavailable'
  | 'too_large'
  | 'invalid'
  | 'unsupported'
  | 'history_lost';

const BRAND = Symbol.for('plugboard.StorageError');

export class StorageError extends Error {
  override readonly name = 'StorageError';
  readonly code: StorageErrorCode;
  /** `duplicate_key`: the paths of the index that refused, joined by commas (`_id` for the primary key). */
  readonly index: string | undefined;
  /** `duplicate_key` of a unique index that cannot be built: ids of documents that share a key, at most ten. */
  readonly documents: readonly string[] | undefined;

  constructor(
    code: StorageErrorCode,
    message: string,
    options: { cause?: unknown; index?: string; documents?: readonly string[] } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.index = options.index;
    this.documents = options.documents;
  }

  get [BRAND](): true {
    return true;
  }
}

export function isStorageError(value: unknown, code?: StorageErrorCode): value is StorageError {
  return (
    typeof value === 'object' &&
    value !== null &&
    BRAND in value &&
    (code === undefined || (value as StorageError).code === code)
  );
}
