/** Compares the indexes with the documents. */
import type { Catalog, CollectionDefinition, IndexDefinition } from '../catalog.js';
import type { Values } from '../../bson/value.js';
import { decode } from '../../bson/decode.js';
import { documentKey, entryKeys, readDocument } from '../documents.js';
import type { Environment, Snapshot } from '../lmdb/environment.js';
import { entriesOf } from '../lmdb/key-space.js';
import { prefix } from '../values/key-encoding.js';
import { wholeCollection } from '../find/ranges.js';

export interface CheckReport {
  readonly documents: number;
  readonly entries: number;
  /** What is wrong, a sentence each. */
  readonly faults: readonly string[];
}

export function check(environment: Environment, catalog: Catalog): CheckReport {
  const snapshot = environment.snapshot();
  try {
    catalog.refresh(snapshot);
    const report = { documents: 0, entries: 0, faults: [] as string[] };
    for (const collection of catalog.all()) {
      report.documents += checkDocuments(snapshot, collection, report.faults);
      for (const index of collection.indexes)
        report.entries += checkIndex(snapshot, collection, index, report.faults);
    }
    return report;
  } finally {
    snapshot.release();
  }
}

function* documentsOf(
  snapshot: Snapshot,
  collection: CollectionDefinition,
): Iterable<{ key: Buffer; values: Values }> {
  for (const { key, value } of entriesOf(snapshot.walk('documents', wholeCollection(collection))))
    yield { key, values: decode(value) };
}

function checkDocuments(snapshot: Snapshot, collection: CollectionDefinition, faults: string[]): number {
  let count = 0;
  for (const { key, values } of documentsOf(snapshot, collection)) {
    count++;
    const id = values['_id'];
    if (typeof id !== 'string' || Buffer.compare(documentKey(collection.number, id), key) !== 0)
      faults.push(`${collection.name}: the document "${String(id)}" stands under another id`);
  }
  return count;
}

/** Every document has its entries; when that is so, more entries than that belong to nobody. */
function checkIndex(
  snapshot: Snapshot,
  collection: CollectionDefinition,
  index: IndexDefinition,
  faults: string[],
): number {
  const where = `${collection.name}, index ${index.name}`;
  let expected = 0;
  for (const { values } of documentsOf(snapshot, collection)) {
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
    actual++;
    const id = value.toString('utf8');
    const values = readDocument(snapshot, collection, id);
    const belongs =
      values &&
      entryKeys(undefined, collection, index, id, values).some((entry) => Buffer.compare(entry, key) === 0);
    if (!belongs) faults.push(`${where}: an entry for "${id}" has no such document`);
  }
  if (actual !== expected) faults.push(`${where}: ${actual} entries where the documents have ${expected}`);
  return actual;
}
