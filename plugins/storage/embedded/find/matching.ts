/** Filters the candidates of a plan. */
import { turnIsOver } from 'plugboard/sdk';
import { decode } from '../../bson/decode.js';
import type { Values } from '../../bson/value.js';
import type { CollectionDefinition } from '../definition.js';
import { CachedDocument } from '../lmdb/cache/cached-document.js';
import type { Reader } from '../lmdb/environment.js';
import { candidates, type Candidate } from './candidates.js';
import { CoveredDocument } from './cover.js';
import type { Query } from './query.js';

const PAUSE_EVERY = 128;
/** Of documents that are decoded. */
const PAUSE_BYTES = 64 * 1024;
/** Yielded when the turn is over before anything was read. */
export const PAUSE: Values[] = [];
/** Yields after a document larger than this: otherwise each of many callers in one turn would decode one. */
const withLong = new WeakSet<CollectionDefinition>();

/** The matches in batches, some of them empty; the caller may yield to the event loop between batches. */
export function* matching(
  reader: Reader,
  query: Query,
  most: number,
  scanned?: (count: number) => void,
): Generator<Values[], void> {
  let count = 0;
  let found = 0;
  let bytes = 0;
  let batch: Values[] = [];
  if (withLong.has(query.collection) && turnIsOver()) yield PAUSE;
  for (const candidate of candidates(reader, query.collection, query.plan)) {
    if (candidate === undefined) {
      if (!turnIsOver()) continue;
      yield batch;
      batch = [];
      bytes = 0;
      continue;
    }
    const size = candidate instanceof Buffer ? candidate.readInt32LE(0) : 0;
    if (size > PAUSE_BYTES) withLong.add(query.collection);
    const document = readCandidate(candidate, query);
    if (document !== undefined) {
      batch.push(document);
      if (++found === most) break;
    }
    bytes += size;
    if (++count % PAUSE_EVERY === 0 || bytes > PAUSE_BYTES) {
      scanned?.(count);
      yield batch;
      batch = [];
      bytes = 0;
    }
  }
  yield batch;
}

/** The projected document; undefined if it does not match. */
export function readCandidate(
  candidate: Candidate,
  { matches, tested, shown, shared }: Query,
): Values | undefined {
  if (candidate instanceof CoveredDocument)
    return matches === undefined || matches(candidate.document) ? candidate.document : undefined;
  if (candidate instanceof CachedDocument) {
    if (matches !== undefined && !matches(candidate.document)) return undefined;
    return shared ? candidate.document : candidate.copy(shown);
  }
  if (matches === undefined) return decode(candidate, shown);
  const looked = decode(candidate, tested);
  if (!matches(looked)) return undefined;
  return tested === shown ? looked : decode(candidate, shown);
}
