/**
 * Salvages a damaged store: copies every document with a correct checksum into a new data file and rebuilds the
 * indexes. The plan says first what is lost; the damaged files are moved aside, not removed.
 */
import { closeSync, existsSync, openSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder, UserError } from 'plugboard/sdk';
import { Catalog } from '../catalog.js';
import { checksumIsRight } from '../checksum.js';
import { ChangeLog } from '../changes/change-log.js';
import { CHECKPOINT, DATA, readNewest, type Checkpoint } from '../lmdb/log/checkpoint.js';
import { syncDirectory } from '../lmdb/log/disk.js';
import { Environment } from '../lmdb/environment.js';
import { FolderLock } from '../lmdb/opening/folder-lock.js';
import { assertStoreFormat, IDENTITY, STORE_FILE } from '../lmdb/opening/identity.js';
import type { Space } from '../lmdb/key-space.js';
import { DRAFT, readMadeRepair, writeMadeRepair, type MadeRepair } from '../lmdb/opening/made-repair.js';
import { Damage } from '../lmdb/damage.js';
import { readMetaPages, walkPages } from '../lmdb/pages/data-file.js';
import type { Operation } from '../lmdb/log/record.js';
import { LOG, WriteAheadLog } from '../lmdb/log/write-ahead-log.js';
import { WriteQueue } from '../write/write-queue.js';
import { check } from './check.js';
import { IndexBuilds } from './index-builds.js';

export interface Salvage {
  /** One sentence per loss; empty if nothing is lost. */
  readonly lost: readonly string[];
  /** The number of documents kept. */
  readonly documents: number;
  /** Whether an earlier repair completed the new data file and was interrupted while moving it into place. */
  readonly made: boolean;
}

const FILES = [DATA, 'lock.mdb', CHECKPOINT, LOG, STORE_FILE];
const BYTES_PER_COMMIT = 2 ** 20;

/** Changes nothing. Throws a `UserError` if nothing can be kept or the store is in use. */
export async function planRepair(directory: string): Promise<Salvage> {
  const lock = new FolderLock(directory);
  try {
    const earlier = readMadeRepair(directory);
    if (earlier !== undefined) return { lost: [], documents: earlier.documents, made: true };
    const lost = new Set<string>();
    const kept = new Set<string>();
    for (const { space, key, removed } of salvage(directory, lost)) {
      if (space !== 'documents') continue;
      if (removed) kept.delete(key.toString('latin1'));
      else kept.add(key.toString('latin1'));
    }
    return { lost: [...lost], documents: kept.size, made: false };
  } finally {
    await lock.release();
  }
}

/** Returns the folder that now has the damaged files. An interrupted repair continues when run again. */
export async function repair(directory: string, now: Date): Promise<string> {
  const lock = new FolderLock(directory);
  try {
    const made = readMadeRepair(directory) ?? (await make(directory, now));
    return putInPlace(directory, made);
  } finally {
    await lock.release();
  }
}

async function make(directory: string, now: Date): Promise<MadeRepair> {
  const draft = join(directory, DRAFT);
  rmSync(draft, { recursive: true, force: true });
  const documents = await rebuild(directory, draft);
  const made = { documents, aside: `damaged-${now.toISOString().replaceAll(/[:.]/g, '-')}` };
  writeMadeRepair(directory, made);
  return made;
}

/** Until the last rename, the files in the folder are the old ones. */
function putInPlace(directory: string, { aside: name }: MadeRepair): string {
  const aside = join(directory, name);
  const data = join(directory, DRAFT, DATA);
  if (existsSync(data)) {
    makeFolder(aside, 0o700);
    for (const file of FILES.filter((each) => existsSync(join(directory, each))))
      renameSync(join(directory, file), join(aside, file));
    syncDirectory(aside);
    renameSync(data, join(directory, DATA));
    syncDirectory(directory);
  }
  rmSync(join(directory, DRAFT), { recursive: true });
  return aside;
}

/** Returns the number of documents in the new data file. */
async function rebuild(directory: string, draft: string): Promise<number> {
  const environment = new Environment(draft, { sync: true, cacheBytes: 0 });
  try {
    let batch: Kept[] = [];
    let bytes = 0;
    const flush = async (): Promise<void> => {
      const entries = batch;
      [batch, bytes] = [[], 0];
      await environment.commit((writer) => {
        for (const { space, key, value, removed } of entries)
          if (removed) writer.remove(space, key);
          else writer.put(space, key, value);
      });
    };
    for (const entry of salvage(directory, new Set())) {
      batch.push(entry);
      bytes += entry.key.length + entry.value.length;
      if (bytes >= BYTES_PER_COMMIT) await flush();
    }
    await flush();
    const catalog = new Catalog();
    catalog.refresh(environment.latest);
    await environment.commit((writer) => catalog.rebuildAll(writer));
    catalog.refresh(environment.latest);
    await buildAll(environment, catalog);
    const { faults, documents } = await check(environment, catalog);
    if (faults.length > 0) throw new Error(`what was kept is damaged: ${faults[0]}`);
    return documents;
  } finally {
    await environment.close();
  }
}

async function buildAll(environment: Environment, catalog: Catalog): Promise<void> {
  const nobody = (): void => {};
  const queue = new WriteQueue(environment, catalog, new ChangeLog({ changes: 1, bytes: 1 }), Date, nobody);
  const builds = new IndexBuilds(environment, catalog, queue, { info: nobody, error: nobody });
  for (const { name } of [...catalog.all()]) builds.begin(name, []);
  await builds.allReady(nobody);
}

interface Kept {
  readonly space: Space;
  readonly key: Buffer;
  readonly value: Buffer;
  readonly removed: boolean;
}

/** Documents and definitions of the data file, then the later changes of the log, in order. */
function* salvage(directory: string, lost: Set<string>): Generator<Kept, void> {
  assertStoreFormat(directory);
  const checkpoint = readCheckpoint(directory, lost);
  const path = join(directory, DATA);
  if (!existsSync(path)) throw new UserError(`"${path}" is missing: nothing can be kept; restore a backup`);
  const file = openSync(path, 'r');
  try {
    const damaged = ({ message }: Damage): void => void lost.add(`${DATA}: ${message}`);
    for (const { tree, key, value } of walkPages(file, bestMetaPages(file, checkpoint), { damaged })) {
      if (tree !== 'documents' && tree !== 'catalog') continue;
      if (tree === 'catalog' && !isKept(key)) continue;
      if (tree === 'documents' && !checksumIsRight(value))
        lost.add(
          `the document ${JSON.stringify(key.toString('utf8', 4))}, which does not match its checksum`,
        );
      else yield { space: tree, key: Buffer.from(key), value: Buffer.from(value), removed: false };
    }
  } finally {
    closeSync(file);
  }
  if (checkpoint !== undefined) yield* fromLog(directory, checkpoint, lost);
}

/** Definitions of collections are kept. The history of changes starts anew. */
function isKept(key: Buffer): boolean {
  return !key.equals(IDENTITY) && !key.toString('latin1').startsWith('changes/');
}

function readCheckpoint(directory: string, lost: Set<string>): Checkpoint | undefined {
  try {
    return readNewest(directory);
  } catch (error) {
    if (!(error instanceof Damage)) throw error;
    lost.add(`${CHECKPOINT}: ${error.message}; the commits that are only in the log`);
    return undefined;
  }
}

/** The meta pages, of the checkpoint or of the file, that lead to fewer damaged pages. */
function bestMetaPages(file: number, checkpoint: Checkpoint | undefined): Buffer {
  const candidates = [checkpoint?.metaPages, ownMetaPages(file)].filter((pages) => pages !== undefined);
  const counted = candidates.map((pages) => ({ pages, damages: countDamages(file, pages) }));
  const best = counted.toSorted((one, other) => one.damages - other.damages)[0];
  if (best === undefined)
    throw new UserError(`both meta pages of "${DATA}" are damaged: nothing can be kept; restore a backup`);
  return best.pages;
}

function ownMetaPages(file: number): Buffer | undefined {
  try {
    return readMetaPages(file);
  } catch (error) {
    if (error instanceof Damage) return undefined;
    throw error;
  }
}

function countDamages(file: number, metaPages: Buffer): number {
  let count = 0;
  for (const _ of walkPages(file, metaPages, { damaged: () => count++ }));
  return count;
}

function* fromLog(directory: string, checkpoint: Checkpoint, lost: Set<string>): Generator<Kept, void> {
  try {
    const log = WriteAheadLog.open(directory, checkpoint);
    if (log === undefined) return;
    try {
      const { opening, progress } = checkpoint;
      for (const { operations } of log.read(progress.position, opening, progress.sequence)) {
        if (operations === undefined)
          return void lost.add('the commits that were too large for the log, and those after them');
        for (const operation of operations) yield* kept(operation);
      }
    } finally {
      log.close();
    }
  } catch (error) {
    if (!(error instanceof Damage)) throw error;
    lost.add(`${LOG}: ${error.message}; the commits after the last checkpoint that it lacks`);
  }
}

function* kept(operation: Operation): Generator<Kept, void> {
  const { space } = operation;
  if (operation.kind === 'clear' || (space !== 'documents' && space !== 'catalog')) return;
  if (space === 'catalog' && !isKept(operation.key)) return;
  const key = Buffer.from(operation.key);
  if (operation.kind === 'remove') yield { space, key, value: Buffer.alloc(0), removed: true };
  else yield { space, key, value: Buffer.from(operation.value), removed: false };
}
