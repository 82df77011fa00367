/** Checks a store: pages, checksums of documents, indexes against documents. */
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { Catalog } from '../catalog.js';
import type { CollectionDefinition, IndexDefinition } from '../definition.js';
import { checksumIsRight } from '../checksum.js';
import type { Values } from '../../bson/value.js';
import { decode } from '../../bson/decode.js';
import { documentKey, entryKeys, readDocument } from '../documents.js';
import { DATA } from '../lmdb/log/checkpoint.js';
import type { Environment, Snapshot } from '../lmdb/environment.js';
import { entriesOf } from '../lmdb/key-space.js';
import { walkPages } from '../lmdb/pages/data-file.js';
import { prefix } from '../values/key-encoding.js';
import { wholeCollection } from '../find/ranges.js';

export interface CheckReport {
  readonly documents: number;
  readonly entries: number;
  /** One sentence per fault. */
  readonly faults: readonly string[];
}

/** Items between two turns of the event loop. */
const PER_TURN = 256;

export type Looked = (documentsAndEntries: number) => void;

/** The store stays in use; `looked` receives the progress. */
export async function check(
  environment: Environment,
  catalog: Catalog,
  looked: Looked = () => {},
): Promise<CheckReport> {
  const report = { documents: 0, entries: 0, faults: [] as string[] };
  report.faults.push(...(await checkPages(environment)));
  // lmdb trusts its pages: reading these could crash the process.
  if (report.faults.length > 0) return report;
  const snapshot = environment.snapshot();
  const pause = pauses(looked);
  try {
    catalog.refresh(snapshot);
    for (const collection of catalog.all()) {
      report.documents += await checkDocuments(snapshot, collection, report.faults, pause);
      for (const index of collection.complete)
        report.entries += await checkIndex(snapshot, collection, index, report.faults, pause);
    }
    return report;
  } finally {
    snapshot.release();
  }
}

/** The faults of the pages of the newest state. */
async function checkPages(environment: Environment): Promise<string[]> {
  const faults: string[] = [];
  const file = openSync(join(environment.directory, DATA), 'r');
  const state = environment.hold();
  const pause = pauses(() => {});
  try {
    const damaged = ({ message }: Error): void => void faults.push(`${DATA}: ${message}`);
    for (const _ of walkPages(file, state.metaPages, { damaged })) await pause();
    return faults;
  } finally {
    state.release();
    closeSync(file);
  }
}

type Pause = () => Promise<void> | undefined;

function pauses(looked: Looked): Pause {
  let count = 0;
  return () => {
    if (++count % PER_TURN !== 0) return undefined;
    looked(count);
    return turn();
  };
}

function* documentsOf(
  snapshot: Snapshot,
  collection: CollectionDefinition,
): Iterable<{ key: Buffer; stored: Buffer }> {
  for (const { key, value } of entriesOf(snapshot.walk('documents', wholeCollection(collection))))
    yield { key, stored: value };
}

async function checkDocuments(
  snapshot: Snapshot,
  collection: CollectionDefinition,
  faults: string[],
  pause: Pause,
): Promise<number> {
  let count = 0;
  for (const { key, stored } of documentsOf(snapshot, collection)) {
    await pause();
    count++;
    if (!checksumIsRight(stored)) {
      const id = JSON.stringify(key.toString('utf8', 4));
      faults.push(`${collection.name}: the document ${id} does not match its checksum`);
      continue;
    }
    const id = decode(stored)['_id'];
    if (typeof id !== 'string' || Buffer.compare(documentKey(collection.number, id), key) !== 0)
      faults.push(`${collection.name}: the document "${String(id)}" is stored under another id`);
  }
  return count;
}

/** Checks that every document has its entries; any further entries are orphans. */
async function checkIndex(
  snapshot: Snapshot,
  collection: CollectionDefinition,
  index: IndexDefinition,
  faults: string[],
  pause: Pause,
): Promise<number> {
  const where = `${collection.name}, index ${index.name}`;
  let expected = 0;
  for (const { stored } of documentsOf(snapshot, collection)) {
    await pause();
    if (!checksumIsRight(stored)) continue;
    const values = decode(stored);
    const id = values['_id'] as string;
    for (const key of entryKeys(undefined, collection, index, id, values)) {
      expected++;
      const holder = snapshot.get('indexes', key)?.toString('utf8');
      if (holder !== id)
        faults.push(
          `${where}: the document "${id}" ${holder === undefined ? 'is missing' : `is hidden by "${holder}"`}`,
        );
    }
  }
  let actual = 0;
  const range = { start: prefix(index.number), end: prefix(index.number + 1) };
  for (const { key, value } of entriesOf(snapshot.walk('indexes', range))) {
    await pause();
    actual++;
    const id = value.toString('utf8');
    const values: Values | undefined = readDocument(snapshot, collection, id);
    const belongs =
      values &&
      entryKeys(undefined, collection, index, id, values).some((entry) => Buffer.compare(entry, key) === 0);
    if (!belongs) faults.push(`${where}: an entry for "${id}" has no such document`);
  }
  if (actual !== expected) faults.push(`${where}: ${actual} entries where the documents have ${expected}`);
  return actual;
}
