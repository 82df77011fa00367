/**
 * One process per folder. The lock is a read transaction on a separate lmdb file that is never written: lmdb frees its
 * slot in the reader table when the process dies, however it dies, on every platform.
 */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { open, type RootDatabase, type Transaction } from 'lmdb';
import { UserError } from 'plugboard/sdk';
import { checkedMetaPages } from '../pages/data-file.js';
import { inFile } from '../damage.js';

export const LOCK = 'server.mdb';
/** Describes the process that holds the folder, for the error message of a second one. */
export const SERVER = 'server.json';

interface Holder {
  readonly pid: number;
  readonly command: string;
  readonly started: string;
}

export class FolderLock {
  readonly #directory: string;
  readonly #file: RootDatabase;
  readonly #place: Transaction;

  /** Throws a `UserError` if another process, or another server in this one, holds the folder. */
  constructor(directory: string) {
    this.#directory = directory;
    const path = join(directory, LOCK);
    inFile(path, 'no server may run; then remove it', () => checkedMetaPages(path));
    this.#file = open({ path, noSubdir: true, overlappingSync: false, maxReaders: 16 });
    const place = this.#take();
    if (place === undefined) {
      void this.#file.close();
      throw new UserError(inUse(directory));
    }
    this.#place = place;
    writeHolder(directory);
  }

  /** The write transaction keeps other processes out while we look. */
  #take(): Transaction | undefined {
    let place: Transaction | undefined;
    this.#file.transactionSync(() => {
      this.#file.readerCheck();
      if (/^ *\d+ /m.test(this.#file.readerList())) return;
      this.#file.resetReadTxn();
      place = this.#file.useReadTransaction();
    });
    return place;
  }

  async release(): Promise<void> {
    if (existsSync(this.#directory)) rmSync(join(this.#directory, SERVER), { force: true });
    this.#place.done();
    await this.#file.close();
  }
}

function writeHolder(directory: string): void {
  const [, script = '', ...words] = process.argv;
  const holder: Holder = {
    pid: process.pid,
    command: ['node', basename(script), ...words].join(' ').slice(0, 200),
    started: new Date(Date.now() - process.uptime() * 1000).toISOString(),
  };
  const draft = join(directory, `${SERVER}.${process.pid}`);
  writeFileSync(draft, `${JSON.stringify(holder)}\n`, { mode: 0o600 });
  renameSync(draft, join(directory, SERVER));
}

function inUse(directory: string): string {
  const holder = readHolder(directory);
  const by =
    holder === undefined
      ? 'another process'
      : `process ${holder.pid} (${holder.command}), which started at ${holder.started}`;
  return `the folder "${directory}" is in use by ${by}; one process at a time may open it`;
}

/** Undefined if the holder has not described itself yet. */
function readHolder(directory: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(join(directory, SERVER), 'utf8')) as Holder;
  } catch {
    return undefined;
  }
}
