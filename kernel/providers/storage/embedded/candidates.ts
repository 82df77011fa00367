/** The documents that a plan leads to, as bytes: each is valid until anything else is read. */
import { decode } from './bson.js';
import type { CollectionDefinition } from './catalog.js';
import { documentKey } from './documents.js';
import type { Reader } from './environment.js';
import type { IndexPlan, Plan, Run } from './plan.js';

export function* candidates(
  reader: Reader,
  collection: CollectionDefinition,
  plan: Plan,
): Generator<Buffer, void> {
  switch (plan.access) {
    case 'ids':
      for (const id of plan.ids) {
        const bytes = reader.get('documents', documentKey(collection, id));
        if (bytes !== undefined) yield bytes;
      }
      return;
    case 'documents':
      for (const { value } of reader.range('documents', plan.range)) yield value;
      return;
    case 'index':
      for (const id of ids(reader, plan)) {
        const bytes = reader.get('documents', documentKey(collection, id));
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

const ID: ReadonlySet<string> = new Set(['_id']);

function* ids(reader: Reader, plan: IndexPlan): Generator<string, void> {
  const seen = plan.repeats ? new Set<string>() : undefined;
  for (const id of plan.merged ? merge(reader, plan.runs) : follow(reader, plan.runs)) {
    if (seen?.has(id)) continue;
    seen?.add(id);
    yield id;
  }
}

/** One run behind the other. */
function* follow(reader: Reader, runs: readonly Run[]): Generator<string, void> {
  for (const { range } of runs)
    for (const { value } of reader.range('indexes', range)) yield value.toString('utf8');
}

/** The next entry of a run: what its key has behind the bytes that are alike. */
interface Head {
  readonly rest: Buffer;
  readonly id: string;
  readonly entries: Iterator<{ key: Buffer; value: Buffer }>;
  readonly alike: number;
}

/** All runs at once, in the order of what follows the bytes that are alike. */
function* merge(reader: Reader, runs: readonly Run[]): Generator<string, void> {
  const direction = runs[0]?.range.reverse === true ? -1 : 1;
  const heads: Head[] = [];
  try {
    for (const { range, alike } of runs)
      advance(heads, reader.range('indexes', range)[Symbol.iterator](), alike, direction);
    for (let head = heads.pop(); head !== undefined; head = heads.pop()) {
      advance(heads, head.entries, head.alike, direction);
      yield head.id;
    }
  } finally {
    for (const { entries } of heads) entries.return?.();
  }
}

/** Puts the run's next entry among the heads, of which the last one is the first in order. */
function advance(heads: Head[], entries: Head['entries'], alike: number, direction: 1 | -1): void {
  const next = entries.next();
  if (next.done === true) return;
  const { key, value } = next.value;
  const head = { rest: Buffer.from(key.subarray(alike)), id: value.toString('utf8'), entries, alike };
  let [low, high] = [0, heads.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (Buffer.compare(heads[middle]!.rest, head.rest) * direction > 0) low = middle + 1;
    else high = middle;
  }
  heads.splice(low, 0, head);
}
