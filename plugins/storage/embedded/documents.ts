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

/** A write job's surroundings. */
export interface Batch extends Writer {
  /** Milliseconds since the epoch, the same for the whole job. */
  readonly now: number;
  /** Collects what planners must know; stored with the job. */
  learn(collection: CollectionDefinition, trait: Trait): void;
  /** Collects what the change log gets; null: deleted. */
  log(collection: CollectionDefinition, id: string, document: Buffer | null): void;
}

/** A document as it is stored, whatever happens to what it was made of. */
export interface Frozen {
  /** With their checksum. */
  readonly bytes: Buffer;
  /** What the bytes say: without undefined members, plain arrays of bytes. */
  readonly values: Values;
}

/** Throws `too_large`, and `invalid` where there is no id. */
export function freeze(document: object): Frozen {
  if (typeof (document as Values)['_id'] !== 'string')
    throw new StorageError('invalid', 'a document needs an _id that is a string');
  const bytes = withChecksum(encode(document));
  return { bytes, values: readAgain(document) ?? decode(bytes) };
}

const HALF_OF_PAIR = /[\uD800-\uDFFF]/;

/** What decoding would give, where all members are plain: half of a surrogate pair is stored as another letter. */
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

/** The key under which a unique index of one path has the value. */
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

/** Inserts; throws `duplicate_key` where a living document has the id or a unique key. */
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

/** Puts `document` in the place of `old`. False: nothing differs, nothing is written. */
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

/** Whether both documents surely have the same entries in the index: false where a value is an object, or a path is nested. */
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

/** Puts a document that is there into a new index. Returns the ids that share a key of a unique one. */
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

/** Planners of this process know it at once, also when the write is undone: a trait only makes them careful. */
export function learnNow(index: IndexDefinition, trait: Trait): void {
  if (trait.kind === 'multikey') index.multikey |= trait.bits;
  if (trait.kind === 'truncated') index.truncated = true;
  if (trait.kind === 'unreadable') index.readable = false;
}

/** The keys under which the index finds the document. With `batch`, records what planners must know about them. */
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

/** Zero and minus zero have one key, and so have a number and the bigint that equals it. */
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
  // While a unique index is being built, another document with the same key may have the entry.
  const mayBeOthers = index.building && index.spec.unique === true;
  for (const key of keys) if (!mayBeOthers || holderOf(batch, key) === id) batch.remove('indexes', key);
}

/** An expired document gives its place up; a living one keeps it. */
function removeExpired(batch: Batch, collection: CollectionDefinition, present: Values, index: string): void {
  if (!isExpired(collection, present, batch.now))
    throw new StorageError(
      'duplicate_key',
      `another document of "${collection.name}" has the same ${index}`,
      { index },
    );
  deleteDocument(batch, collection, present);
}
