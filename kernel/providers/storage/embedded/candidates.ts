/** The documents that a plan leads to, as bytes: each is valid until anything else is read, and its buffer goes on behind it. */
import type { CollectionDefinition } from './catalog.js';
import { decode } from './decode.js';
import { documentKey, documentKeyOf } from './documents.js';
import type { Reader } from './environment.js';
import type { Walk } from './key-space.js';
import type { IndexPlan, Plan, Run } from './plan.js';
import { membersOf } from './shape.js';

export function* candidates(
  reader: Reader,
  collection: CollectionDefinition,
  plan: Plan,
): Generator<Buffer, void> {
  switch (plan.access) {
    case 'ids':
      for (const id of plan.ids) {
        const bytes = reader.peek('documents', documentKey(collection, id));
        if (bytes !== undefined) yield bytes;
      }
      return;
    case 'documents': {
      const walk = reader.walk('documents', plan.range);
      try {
        while (walk.step()) yield walk.bytes;
      } finally {
        walk.end();
      }
      return;
    }
    case 'index':
      for (const key of keys(reader, collection, plan)) {
        const bytes = reader.peek('documents', key);
        if (bytes !== undefined) yield bytes;
      }
      return;
    case 'union': {
      const seen = new Set<unknown>();
      for (const part of plan.plans)
        for (const bytes of candidates(reader, collection, part)) {
          const { _id } = decode(bytes, ID);
          if (seen.has(_id)) continue;
          seen.add(_id);
          yield bytes;
        }
    }
  }
}

const ID = membersOf(['_id']);

/** The keys of the documents that the entries of an index name, each once. */
function* keys(reader: Reader, collection: CollectionDefinition, plan: IndexPlan): Generator<Buffer, void> {
  const all = plan.merged ? merge(reader, collection, plan.runs) : follow(reader, collection, plan.runs);
  if (!plan.repeats) {
    yield* all;
    return;
  }
  const seen = new Set<string>();
  for (const key of all) {
    const text = key.toString('latin1');
    if (seen.has(text)) continue;
    seen.add(text);
    yield key;
  }
}

/** One run behind the other. */
function* follow(
  reader: Reader,
  collection: CollectionDefinition,
  runs: readonly Run[],
): Generator<Buffer, void> {
  for (const { range } of runs) {
    const walk = reader.walk('indexes', range);
    try {
      while (walk.step()) yield documentKeyOf(collection, walk.bytes, walk.length);
    } finally {
      walk.end();
    }
  }
}

/** The next entry of a run: what its key has behind the bytes that are alike. */
interface Head {
  readonly rest: Buffer;
  readonly document: Buffer;
  readonly walk: Walk;
  readonly alike: number;
}

/** All runs at once, in the order of what follows the bytes that are alike. */
function* merge(
  reader: Reader,
  collection: CollectionDefinition,
  runs: readonly Run[],
): Generator<Buffer, void> {
  const direction = runs[0]?.range.reverse === true ? -1 : 1;
  const heads: Head[] = [];
  const advance = (walk: Walk, alike: number): void => {
    if (!walk.step()) return;
    const document = documentKeyOf(collection, walk.bytes, walk.length);
    place(heads, { rest: walk.key.subarray(alike), document, walk, alike }, direction);
  };
  try {
    for (const { range, alike } of runs) advance(reader.walk('indexes', range), alike);
    for (let head = heads.pop(); head !== undefined; head = heads.pop()) {
      advance(head.walk, head.alike);
      yield head.document;
    }
  } finally {
    for (const { walk } of heads) walk.end();
  }
}

/** Puts a head among the others, of which the last one is the first in order. */
function place(heads: Head[], head: Head, direction: 1 | -1): void {
  let [low, high] = [0, heads.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (Buffer.compare(heads[middle]!.rest, head.rest) * direction > 0) low = middle + 1;
    else high = middle;
  }
  heads.splice(low, 0, head);
}
