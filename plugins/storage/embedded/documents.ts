/** A document and its index entries, written together. */
import { StorageError } from 'plugboard/sdk';
import { encode } from '../bson/encode.js';
import type { Values } from '../bson/value.js';
import { decode } from '../bson/decode.js';
import type { Trait } from './catalog.js';
import type { CollectionDefinition, IndexDefinition } from './definition.js';
import { withChecksum } from './checksum.js';
import type { Reader, Writer } from './lmdb/environment.js';
import { isExpired } from './expiry.js';
import { indexKeys } from './index-keys.js';
import {
  appendPart,
  encodeEntry,
  encodeId,
  encodeTail,
  isLongId,
  NO_TAIL,
  prefix,
} from './values/key-encoding.js';
import { someAt } from './values/path.js';

/** The context of a write job. */
export interface Batch extends Writer {
  /** Milliseconds since the epoch, the same for the whole job. */
  readonly now: number;
  /** Collects traits for the planner, stored with the job. */
  learn(collection: CollectionDefinition, trait: Trait): void;
  /** Collects changes for the change log; null means deleted. */
  log(collection: CollectionDefinition, id: string, document: Buffer | null): void;
}

/** An immutable copy of a document, as it is stored. */
export interface Frozen {
  /** With the checksum. */
  readonly bytes: Buffer;
  /** The values that decoding would give: no undefined members, plain Uint8Arrays. */
  readonly values: Values;
}

/** Throws `too_large`, and `invalid` without an id. */
export function freeze(document: object): Frozen {
  if (typeof (document as Values)['_id'] !== 'string')
    throw new StorageError('invalid', 'a document needs an _id that is a string');
  const bytes = withChecksum(encode(document));
  return { bytes, values: readAgain(document) ?? decode(bytes) };
}

const HALF_OF_PAIR = /[\uD800-\uDFFF]/;

/** Avoids decoding if all members are plain. A string with a lone surrogate is not: storing changes it. */
function readAgain(document: object): Values | undefined {
  const values: Values = { ...document };
  let isFirst = true;
  for (const name in values) {
    if ((isFirst && name !== '_id') || HALF_OF_PAIR.test(name)) return undefined;
    isFirst = false;
    const value = values[name];
    const type = typeof value;
    const isPlain = type === 'number' || type === 'boolean' || value === null;
    if (!isPlain && (type !== 'string' || HALF_OF_PAIR.test(value as string))) return undefined;
  }
  return values;
}

function idOf({ values }: Frozen): string {
  return values['_id'] as string;
}

export function documentKey(collection: number, id: string): Buffer {
  return prefix(collection, encodeId(id));
}

/** The key of a value in a unique index on one path. */
export function uniqueKey({ number, directions }: IndexDefinition, value: unknown): Buffer {
  return appendPart(prefix(number), value, directions[0]!, 1);
}

export function readDocument(
  reader: Reader,
  collection: CollectionDefinition,
  id: string,
): Values | undefined {
  const bytes = reader.peek('documents', documentKey(collection.number, id));
  return bytes && decode(bytes);
}

/** Inserts; throws `duplicate_key` if an unexpired document has the id or a unique key. */
export function insertDocument(batch: Batch, collection: CollectionDefinition, document: Frozen): void {
  const id = idOf(document);
  const key = documentKey(collection.number, id);
  const present = batch.get('documents', key);
  if (present !== undefined) removeExpired(batch, collection, decode(present), '_id');
  if (isLongId(id) && !collection.longIds) batch.learn(collection, { kind: 'longIds' });
  for (const index of collection.indexes)
    putEntries(batch, collection, index, id, entryKeys(batch, collection, index, id, document.values));
  batch.put('documents', key, document.bytes);
  batch.log(collection, id, document.bytes);
}

/** Replaces `old` by `document`. False if they are equal and nothing was written. */
export function replaceDocument(
  batch: Batch,
  collection: CollectionDefinition,
  old: Values,
  document: Frozen,
): boolean {
  const id = idOf(document);
  if (id !== old['_id']) throw new StorageError('invalid', 'the _id of a document cannot change');
  const key = documentKey(collection.number, id);
  if (batch.get('documents', key)?.equals(document.bytes) === true) return false;
  for (const index of collection.indexes) {
    if (hasSameValues(index, old, document.values)) continue;
    const before = entryKeys(undefined, collection, index, id, old);
    const after = entryKeys(batch, collection, index, id, document.values);
    const gone = before.filter((entry) => !after.some((other) => other.equals(entry)));
    const added = after.filter((entry) => !before.some((other) => other.equals(entry)));
    removeEntries(batch, index, id, gone);
    putEntries(batch, collection, index, id, added);
  }
  batch.put('documents', key, document.bytes);
  batch.log(collection, id, document.bytes);
  return true;
}

/** Whether both documents certainly have the same entries in the index; false if in doubt (objects, nested paths). */
function hasSameValues({ pathNames, partial }: IndexDefinition, old: Values, next: Values): boolean {
  if (partial !== undefined) return false;
  for (const name of pathNames) {
    const value = old[name];
    const isDeep = (typeof value === 'object' && value !== null) || name.includes('.');
    if (isDeep || !Object.is(value, next[name])) return false;
  }
  return true;
}

export function deleteDocument(batch: Batch, collection: CollectionDefinition, values: Values): void {
  const id = values['_id'] as string;
  for (const index of collection.indexes)
    removeEntries(batch, index, id, entryKeys(undefined, collection, index, id, values));
  batch.remove('documents', documentKey(collection.number, id));
  batch.log(collection, id, null);
}

/** Adds an existing document to a new index. Returns ids that share a key of a unique one. */
export function addToIndex(
  batch: Batch,
  collection: CollectionDefinition,
  index: IndexDefinition,
  values: Values,
): string[] {
  const id = values['_id'] as string;
  for (const key of entryKeys(batch, collection, index, id, values)) {
    const holder = index.spec.unique === true ? holderOf(batch, key) : undefined;
    if (holder !== undefined && holder !== id) return [holder, id];
    batch.put('indexes', key, Buffer.from(id, 'utf8'));
  }
  return [];
}

function holderOf(batch: Batch, key: Buffer): string | undefined {
  return batch.get('indexes', key)?.toString('utf8');
}

/** Applied at once, even if the write is undone later: traits only make the planner more careful. */
export function learnNow(index: IndexDefinition, trait: Trait): void {
  if (trait.kind === 'multikey') index.multikey |= trait.bits;
  if (trait.kind === 'truncated') index.truncated = true;
  if (trait.kind === 'unreadable') index.readable = false;
}

/** The keys of the document in the index. With `batch`, records their traits. */
export function entryKeys(
  batch: Batch | undefined,
  collection: CollectionDefinition,
  index: IndexDefinition,
  id: string,
  values: Values,
): Buffer[] {
  if (index.partial?.(values) === false) return [];
  if (index.spec.sparse === true && !index.paths.every((path) => someAt(values, path, 0, isThere))) return [];
  const { keys, multikey } = indexKeys(values, index.paths);
  const bits = multikey.reduce((sum, met, at) => (met ? sum | (1 << at) : sum), 0);
  if (batch && (index.stored.multikey & bits) !== bits)
    batch.learn(collection, { kind: 'multikey', index: index.number, bits });
  if (batch && index.stored.readable && keys.some((values) => values.some(isLostInKey)))
    batch.learn(collection, { kind: 'unreadable', index: index.number });
  const tail = index.spec.unique === true ? NO_TAIL : encodeTail(id, index.directions.at(-1)!);
  const encoded = keys.map((values) => {
    const { bytes, truncated } = encodeEntry(index.number, values, index.directions, tail);
    if (truncated && batch && !index.stored.truncated)
      batch.learn(collection, { kind: 'truncated', index: index.number });
    return bytes;
  });
  return encoded.length < 2 ? encoded : withoutRepeats(encoded);
}

/** Zero and minus zero share a key, as do a number and the equal bigint. */
function isLostInKey(value: unknown): boolean {
  return typeof value === 'bigint' ? BigInt.asIntN(54, value) === value : Object.is(value, -0);
}

function isThere(value: unknown): boolean {
  return value !== undefined;
}

function withoutRepeats(keys: readonly Buffer[]): Buffer[] {
  return [...new Map(keys.map((key) => [key.toString('latin1'), key])).values()];
}

function putEntries(
  batch: Batch,
  collection: CollectionDefinition,
  index: IndexDefinition,
  id: string,
  keys: readonly Buffer[],
): void {
  if (keys.length === 0) return;
  const value = Buffer.from(id, 'utf8');
  for (const key of keys) {
    if (index.spec.unique === true) {
      const holder = holderOf(batch, key);
      if (holder !== undefined && holder !== id) {
        const present = readDocument(batch, collection, holder);
        if (present !== undefined) removeExpired(batch, collection, present, index.name);
      }
    }
    batch.put('indexes', key, value);
  }
}

function removeEntries(batch: Batch, index: IndexDefinition, id: string, keys: readonly Buffer[]): void {
  // While a unique index is being built, the entry may belong to another document with the same key.
  const mayBeOthers = index.building && index.spec.unique === true;
  for (const key of keys) if (!mayBeOthers || holderOf(batch, key) === id) batch.remove('indexes', key);
}

/** Removes an expired document; throws `duplicate_key` for one that has not expired. */
function removeExpired(batch: Batch, collection: CollectionDefinition, present: Values, index: string): void {
  if (!isExpired(collection, present, batch.now))
    throw new StorageError(
      'duplicate_key',
      `another document of "${collection.name}" has the same ${index}`,
      { index },
    );
  deleteDocument(batch, collection, present);
}
