/** Groups documents and folds each group, reading only the members that this needs. */
import { type Fold, type Group, type Grouping, sortInSteps } from 'plugboard/sdk';
import { readText } from '../../bson/decode.js';
import { encode } from '../../bson/encode.js';
import { ALL, membersOf, type Members } from '../../bson/shape.js';
import type { Values } from '../../bson/value.js';
import { compare } from '../../order.js';
import type { Reader } from '../lmdb/environment.js';
import type { EntryPlace } from '../lmdb/key-space.js';
import { candidates, valuesOf } from './candidates.js';
import { CoveredDocument } from './cover.js';
import type { Query } from './query.js';

const PAUSE_EVERY = 256;

/** Yields the number of examined documents now and then, and returns the groups. */
export function* groups(reader: Reader, query: Query, grouping: Grouping): Generator<number, Group[]> {
  const { matches, plan, collection } = query;
  const inOrder = grouping.inAnyOrder === true || (plan.access === 'documents' && !collection.longIds);
  const collected = new Collected(grouping, inOrder);
  const grouped = membersOfGroups(grouping);
  const members = membersRead(query, inOrder ? grouped : ['_id', ...grouped]);
  let count = 0;
  for (const candidate of candidates(reader, collection, plan)) {
    if (candidate !== undefined) {
      const document = valuesOf(candidate, members);
      if (matches === undefined || matches(document))
        collected.add(document, candidate instanceof CoveredDocument ? candidate.entry : undefined);
    }
    if (++count % PAUSE_EVERY === 0 || candidate === undefined) yield count;
  }
  const steps = collected.groups();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    yield count;
  }
}

/** The members that grouping reads. Groups are ordered by id, which index entries have as well. */
export function membersOfGroups({ by, folds = [] }: Grouping): string[] {
  return [...by, ...folds.map(({ of }) => of)];
}

/** Members of the grouping, and those of the filter. */
function membersRead({ matches, tested }: Query, grouped: readonly string[]): Members {
  if (matches === undefined) return membersOf(grouped);
  return tested.names === undefined ? ALL : membersOf([...tested.names, ...grouped]);
}

interface Open {
  readonly by: readonly unknown[];
  /** The smallest id, if documents do not arrive in id order. */
  first: string;
  count: number;
  readonly folds: readonly Folding[];
}

class Collected {
  readonly #by: readonly string[];
  readonly #folds: readonly Fold[];
  readonly #limit: number;
  readonly #needsFirst: boolean;
  readonly #open = new Map<unknown, Open>();

  /** `inOrder`: documents arrive in id order, or the order does not matter. */
  constructor({ by, folds = [], limit = Infinity }: Grouping, inOrder: boolean) {
    this.#by = by;
    this.#folds = folds;
    this.#limit = limit;
    this.#needsFirst = !inOrder && by.length > 0;
  }

  /** `entry`: the index entry, if the document itself was not read. */
  add(document: Values, entry?: EntryPlace): void {
    const key = this.#key(document);
    let group = this.#open.get(key);
    if (group === undefined) {
      if (this.#open.size === this.#limit) return;
      group = {
        by: this.#by.map((member) => document[member] ?? null),
        first: this.#needsFirst ? idOf(document, entry) : '',
        count: 0,
        folds: this.#folds.map(({ fold, of }) => FOLDINGS[fold](of)),
      };
      this.#open.set(key, group);
    } else if (
      this.#needsFirst &&
      (entry === undefined ? compare(document['_id'], group.first) < 0 : isEarlier(entry, group.first))
    ) {
      group.first = idOf(document, entry);
    }
    group.count++;
    for (const fold of group.folds) fold.add(document);
  }

  #key(document: Values): unknown {
    const by = this.#by;
    if (by.length === 0) return '';
    if (by.length === 1) return keyOf(document[by[0]!]);
    let key = '';
    for (const member of by) {
      const part = keyOf(document[member]);
      // Strings are length-prefixed, so parts cannot run into each other.
      key += typeof part === 'string' ? `${part.length}:${part}` : `${String(part)};`;
    }
    return key;
  }

  /** In steps: there may be as many groups as documents. */
  *groups(): Generator<undefined, Group[]> {
    const met = [...this.#open.values()];
    const open = this.#needsFirst ? yield* sortInSteps(met, (a, b) => compare(a.first, b.first)) : met;
    const groups: Group[] = [];
    for (const { by, count, folds } of open) {
      groups.push({ by, count, folds: folds.map((fold) => fold.result()) });
      if (groups.length % PAUSE_EVERY === 0) yield;
    }
    return groups;
  }
}

function idOf(document: Values, entry: EntryPlace | undefined): string {
  return entry === undefined ? (document['_id'] as string) : readText(entry.bytes, 0, entry.length);
}

/** Whether the id of the entry sorts before another; compares bytes in place, which is faster than decoding them. */
function isEarlier(entry: EntryPlace, id: string): boolean {
  const { bytes, length } = entry;
  const shorter = Math.min(length, id.length);
  for (let at = 0; at < shorter; at++) {
    const byte = bytes[at]!;
    const other = id.charCodeAt(at);
    if ((byte | other) > 0x7f) return compare(readText(bytes, 0, length), id) < 0;
    if (byte !== other) return byte < other;
  }
  return length < id.length;
}

/** Equal for equal values, whatever the type of a number; strings have a prefix of their own. */
function keyOf(value: unknown): unknown {
  switch (typeof value) {
    case 'number':
      return value === 0 ? 0 : value;
    case 'string':
      return `s${value}`;
    case 'boolean':
      return value;
    case 'bigint': {
      const near = Number(value);
      return BigInt(near) === value ? near : `n${value}`;
    }
    case 'undefined':
      return null;
    default:
      return value === null ? null : `o${encode({ value }).toString('latin1')}`;
  }
}

interface Folding {
  add(document: Values): void;
  result(): unknown;
}

const FOLDINGS: Readonly<Record<Fold['fold'], (of: string) => Folding>> = {
  count: (of) => {
    let count = 0;
    return {
      add: (document) => void ((document[of] ?? null) !== null && count++),
      result: () => count,
    };
  },
  sum: (of) => {
    let sum = 0;
    return {
      add: (document) => {
        const value = document[of];
        if (typeof value === 'number') sum += value;
        else if (typeof value === 'bigint') sum += Number(value);
      },
      result: () => sum,
    };
  },
  min: (of) => best(of, -1),
  max: (of) => best(of, 1),
};

function best(of: string, sign: 1 | -1): Folding {
  let found: unknown = null;
  return {
    add: (document) => {
      const value = document[of] ?? null;
      if (value === null) return;
      if (found === null || compare(value, found) * sign > 0) found = value;
    },
    result: () => found,
  };
}
