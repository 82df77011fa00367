/** Runs a prepared query: all documents in batches, or the first one. */
import { turnIsOver } from 'plugboard/sdk';
import type { Values } from '../../bson/value.js';
import type { Reader } from '../lmdb/environment.js';
import { candidates, firstCandidate } from './candidates.js';
import { matching, PAUSE, readCandidate } from './matching.js';
import type { Query } from './query.js';
import { Sorter } from './sort.js';
import { throughDocuments, wholesale } from './wholesale.js';

/**
 * The results in batches, some of them empty; the caller may yield to the event loop between batches.
 * `scanned` receives the number of documents examined so far.
 */
export function* run(
  reader: Reader,
  query: Query,
  scanned?: (count: number) => void,
): Generator<Values[], void> {
  const { skip, limit, sort } = query;
  const most = skip + limit;
  const early = firstById(reader, query);
  if (early !== undefined) {
    yield show(early.slice(skip), query);
    return;
  }
  const served = query.plan.ordered && sort.length > 0 ? query : wholesale(reader, query);
  if (!served.plan.ordered && sort.length > 0) {
    const sorter = new Sorter(sort, most);
    for (const batch of matching(reader, served, Infinity, scanned)) {
      for (const document of batch) sorter.add(document);
      if (sorter.isFull) yield* inBatches(sorter.cut());
      yield [];
    }
    const sorted = yield* inBatches(sorter.sorted());
    yield show(sorted.slice(skip), query);
    return;
  }
  let left = skip;
  for (const batch of matching(reader, served, most, scanned)) {
    if (batch === PAUSE) {
      yield PAUSE;
      continue;
    }
    yield show(left === 0 ? batch : batch.slice(left), query);
    left -= Math.min(left, batch.length);
  }
}

/** Yields an empty batch when the turn is over. */
function* inBatches<T>(steps: Iterator<unknown, T>): Generator<Values[], T> {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
    if (turnIsOver()) yield [];
  }
}

/** Documents examined in id order, per requested document. */
const LOOKS = 8;
const MOST_LOOKS = 1_000;

/**
 * If an index range matches many documents, sorting them by id takes longer than examining documents in id order.
 * Undefined if too few of those match.
 */
function firstById(reader: Reader, query: Query): Values[] | undefined {
  const { collection, plan, skip, limit } = query;
  const most = skip + limit;
  if (plan.access !== 'index' || plan.ordered || most * LOOKS > MOST_LOOKS) return undefined;
  const direct = throughDocuments(query);
  if (!direct.plan.ordered) return undefined;
  const found: Values[] = [];
  let looks = most * LOOKS;
  for (const candidate of candidates(reader, collection, direct.plan)) {
    const document = candidate === undefined ? undefined : readCandidate(candidate, direct);
    if (document !== undefined && found.push(document) === most) return found;
    if (--looks === 0) return undefined;
  }
  return found;
}

function show(documents: Values[], { project }: Query): Values[] {
  return project === undefined ? documents : documents.map(project);
}

/** The first document, for a write or a findOne. */
export function first(reader: Reader, query: Query, scanned?: (count: number) => void): Values | undefined {
  if (query.skip > 0 || !query.plan.ordered || query.matches !== undefined) {
    for (const [document] of run(reader, query, scanned)) if (document !== undefined) return document;
    return undefined;
  }
  // Most lookups end here: the first candidate matches.
  const candidate = firstCandidate(reader, query.collection, query.plan);
  if (candidate === undefined) return undefined;
  const document = readCandidate(candidate, query)!;
  return query.project === undefined ? document : query.project(document);
}

export function everything(reader: Reader, query: Query, scanned?: (count: number) => void): Values[] {
  const batches = [...run(reader, query, scanned)];
  return batches.length === 1 ? batches[0]! : batches.flat();
}
