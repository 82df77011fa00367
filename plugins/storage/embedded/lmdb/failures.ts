/** Errors of lmdb and the file system, as errors of the storage port. */
import { statfsSync } from 'node:fs';
import { isStorageError, isUserError, StorageError, UserError } from 'plugboard/sdk';
import { processUser } from '../../process-user.js';

export function closed(): StorageError {
  return new StorageError('unavailable', 'the store is closed');
}

/** Opens a part of the store, or runs `undo` and throws the port's error; a user error passes through unchanged. */
export function opened<T>(open: () => T, undo: () => void = () => {}): T {
  try {
    return open();
  } catch (error) {
    undo();
    throw notOpened(error);
  }
}

function notOpened(error: unknown): Error {
  if (isUserError(error)) return error as Error;
  const { code, path, message = '' } = error as NodeJS.ErrnoException;
  if (code === 'EACCES' || code === 'EPERM')
    return new UserError(
      `the store cannot be opened (${message}): run this as the owner of the folder, and not as ${processUser()}, ` +
        `or give ${path ?? 'its files'} back to the owner`,
      { cause: error },
    );
  return isFull(message)
    ? new StorageError('unavailable', 'the disk is full: make room and start again', { cause: error })
    : unavailable(error);
}

function isFull(reason: string): boolean {
  return /No space left|ENOSPC/.test(reason);
}

/** Bytes. */
const ALMOST_FULL = 2 ** 16;

/** If some pages of a write still fit, lmdb reports a full disk as an input/output error. */
export function fullDisk(error: unknown, directory: string): unknown {
  if (!(error instanceof Error) || !/Input\/output error/.test(error.message)) return error;
  return isAlmostFull(directory) ? new Error('No space left on device', { cause: error }) : error;
}

/** Called before the files are opened: lmdb maps them, and touching a page that a full disk cannot hold is fatal. */
export function assertRoom(directory: string): void {
  if (isAlmostFull(directory)) throw new Error('No space left on device');
}

function isAlmostFull(directory: string): boolean {
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize < ALMOST_FULL;
}

export function unavailable(error: unknown): StorageError {
  if (isStorageError(error)) return error;
  const reason = error instanceof Error ? error.message : String(error);
  const message = isFull(reason)
    ? 'the disk is full: the embedded store took nothing of this write; make room, it goes on by itself'
    : `the embedded store failed: ${reason}`;
  return new StorageError('unavailable', message, { cause: error });
}

/**
 * Gives the error of a refused write the stack of its caller: the original one begins in the write queue that all
 * callers share. Call it after an `await`.
 */
export function withCallers(error: unknown): unknown {
  if (isStorageError(error)) Error.captureStackTrace(error, withCallers);
  return error;
}
