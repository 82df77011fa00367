/**
 * Translates errors of the driver and the server to the port's. A message of the server may quote a document, so it is
 * not passed on: only the name of the code and the path are.
 */
import {
  MongoBulkWriteError,
  MongoError,
  MongoNetworkError,
  MongoServerError,
  MongoServerSelectionError,
} from 'mongodb';
import { isStorageError, StorageError, type StorageErrorCode } from 'plugboard/sdk';

/** Codes are from MongoDB's src/mongo/base/error_codes.yml. */
const BY_CODE: ReadonlyMap<unknown, readonly [StorageErrorCode, string]> = new Map([
  ...codes(
    'unavailable',
    'the server cannot serve the call now',
    [6, 7, 89, 91, 9001, 10107, 11600, 11602, 13435, 13436, 189, 133, 134, 50, 262, 43, 237, 14031],
  ),
  ...codes('unavailable', 'the majority of the replica set did not confirm the write in time', [64, 100]),
  ...codes('unavailable', 'the server refuses the credentials or the rights of this user', [13, 18, 8000]),
  ...codes('write_conflict', 'another transaction was first', [24, 112, 225, 251, 256]),
  ...codes(
    'history_lost',
    'the resume token is older than the history that the server keeps',
    [260, 280, 286],
  ),
  ...codes('too_large', 'a document is over 16 MiB', [10334, 17217, 17419, 17420]),
  ...codes('unsupported', 'this needs a replica set or a sharded cluster', [20, 263, 40573]),
  ...codes('invalid', 'the operator does not accept a value of this type', [14, 16554]),
  ...codes('invalid', 'a path leads through a value that is not an object', [28]),
  ...codes('invalid', 'two update operators change the same path', [40]),
  ...codes('invalid', 'the _id of a document cannot change', [66]),
  ...codes(
    'invalid',
    'a regular expression is outside of the subset that JavaScript and PCRE share',
    [51091],
  ),
  ...codes('invalid', 'a member name begins with $', [52]),
]);

/** In addition to every `MongoNetworkError`, such as a cleared pool. */
const UNREACHABLE = new Set([
  'MongoServerSelectionError',
  'MongoNotConnectedError',
  'MongoTopologyClosedError',
  'MongoServerClosedError',
  'MongoPoolClosedError',
  'MongoWaitQueueTimeoutError',
  'MongoOperationTimeoutError',
  'MongoClientClosedError',
  'MongoExpiredSessionError',
  'MongoStalePrimaryError',
]);

/** Error codes of Node's sockets: the driver does not wrap errors of writing to a socket that the server has ended. */
const BROKEN_SOCKET: ReadonlySet<unknown> = new Set([
  'EPIPE',
  'ECONNRESET',
  'ERR_SOCKET_CLOSED',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
]);

/** `collection`: its full name, for the message. */
export function storageError(thrown: unknown, collection?: string): StorageError {
  const error = met(thrown);
  if (isStorageError(error)) return error;
  const where = collection === undefined ? '' : ` (collection "${collection}")`;
  if (error instanceof MongoServerError && isDuplicate(error)) return duplicateKey(error, where);
  if (error instanceof RangeError || (error instanceof Error && /larger than/.test(error.message)))
    return new StorageError('too_large', `a document is over 16 MiB${where}`);
  if (isUnreachable(error))
    return new StorageError('unavailable', `MongoDB cannot be reached: ${unreachable(error)}`, {
      cause: error,
    });
  if (error instanceof MongoServerError) return serverError(error, where);
  const message = error instanceof Error ? error.message : String(error);
  return new StorageError('invalid', `${message}${where}`, { cause: error });
}

/** The driver wraps whatever ended a bulk write, including a lost connection, in a server error. */
function met(thrown: unknown): unknown {
  const inner: unknown = thrown instanceof MongoBulkWriteError ? thrown.errorResponse : undefined;
  return inner instanceof Error ? inner : thrown;
}

function isUnreachable(error: unknown): error is Error {
  if (error instanceof MongoNetworkError) return true;
  if (error instanceof MongoError) return UNREACHABLE.has(error.name);
  return error instanceof Error && BROKEN_SOCKET.has((error as NodeJS.ErrnoException).code);
}

/** Advice on a server that was not found, if the driver's message has none. */
function unreachable(error: Error): string {
  const { message } = error;
  const { servers, setName } = (error instanceof MongoServerSelectionError && error.reason) || {};
  if ([...(servers?.values() ?? [])].some(({ type }) => type === 'RSGhost'))
    return 'the replica set was never initiated; run rs.initiate() in mongosh once';
  // The driver drops servers that belong to another set.
  if (servers?.size === 0 && setName)
    return `no server of storage.url belongs to the replica set "${setName}"`;
  if (message.includes('certificate'))
    return `${message}; storage.tls.caFile names the certificate of the authority that is to be believed`;
  if (servers && message.endsWith(' closed'))
    return `${message}; does it take TLS alone (storage.tls: { enabled: true }), or certificates of clients?`;
  return message;
}

/** Whether the whole transaction may be retried. */
export function isTransient(error: unknown): boolean {
  return error instanceof MongoError && error.hasErrorLabel('TransientTransactionError');
}

/** Whether the outcome of a commit is unknown; committing again is safe. */
export function isCommitUnknown(error: unknown): boolean {
  return error instanceof MongoError && error.hasErrorLabel('UnknownTransactionCommitResult');
}

function serverError(error: MongoServerError, where: string): StorageError {
  const known = BY_CODE.get(error.code);
  const path = /(?:field|path|Field named) '([^']+)'/.exec(error.message)?.[1];
  const at = path === undefined ? '' : ` at "${path}"`;
  if (known !== undefined) return new StorageError(known[0], `${known[1]}${at}${where}`);
  if (error.name === 'MongoWriteConcernError')
    return new StorageError(
      'unavailable',
      `the majority of the replica set did not confirm the write${where}`,
    );
  const name = error.codeName ?? `code ${String(error.code)}`;
  return new StorageError('invalid', `MongoDB refuses the call, ${name}${at}${where}`);
}

function isDuplicate(error: MongoServerError): boolean {
  return error.code === 11000 || error.code === 11001;
}

/** Without the driver's error as the cause: its text has the duplicate value. */
function duplicateKey(error: MongoServerError, where: string): StorageError {
  const pattern: unknown = error['keyPattern'] ?? error.errorResponse?.['keyPattern'];
  const index =
    typeof pattern === 'object' && pattern !== null
      ? Object.keys(pattern).join(',')
      : pathsOf(/index: (\S+) dup key/.exec(error.message)?.[1] ?? '_id_');
  return new StorageError('duplicate_key', `another document has the same ${index}${where}`, { index });
}

/** `owner_1_createdAt_-1` to `owner,createdAt`. */
function pathsOf(indexName: string): string {
  if (indexName === '_id_') return '_id';
  return indexName
    .split(/_-?1(?:_|$)/)
    .slice(0, -1)
    .join(',');
}

function codes(code: StorageErrorCode, message: string, numbers: readonly number[]) {
  return numbers.map((number) => [number, [code, message]] as const);
}
