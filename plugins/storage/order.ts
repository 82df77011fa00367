/** The order of values: that of BSON, across and within types. */

/** The sort key of an empty array: before null. */
export const EMPTY_ARRAY = Symbol('empty array');

/** The rank of a value's type. Missing and null share one. */

export const Rank = {
  emptyArray: 0x05,
  null: 0x0a,
  number: 0x14,
  string: 0x1e,
  object: 0x28,
  array: 0x32,
  binary: 0x3c,
  boolean: 0x46,
  date: 0x50,
} as const;

export function rank(value: unknown): number {
  switch (typeof value) {
    case 'string':
      return Rank.string;
    case 'number':
    case 'bigint':
      return Rank.number;
    case 'boolean':
      return Rank.boolean;
    case 'undefined':
      return Rank.null;
    case 'symbol':
      return Rank.emptyArray;
    default:
      if (value === null) return Rank.null;
      if (Array.isArray(value)) return Rank.array;
      if (value instanceof Date) return Rank.date;
      if (value instanceof Uint8Array) return Rank.binary;
      return Rank.object;
  }
}

/** Negative, zero or positive: `a` before, equal to, or after `b`. */
export function compare(a: unknown, b: unknown): number {
  if (a === b) return 0;
  const rankA = rank(a);
  const byRank = rankA - rank(b);
  if (byRank !== 0) return byRank;
  switch (rankA) {
    case Rank.string:
      return compareStrings(a as string, b as string);
    case Rank.number:
      return compareNumbers(a as number | bigint, b as number | bigint);
    case Rank.boolean:
      return Number(a) - Number(b);
    case Rank.date:
      return (a as Date).getTime() - (b as Date).getTime();
    case Rank.array:
      return compareArrays(a as unknown[], b as unknown[]);
    case Rank.object:
      return compareObjects(a as object, b as object);
    case Rank.binary:
      return compareBinary(a as Uint8Array, b as Uint8Array);
    default:
      return 0;
  }
}

export function equal(a: unknown, b: unknown): boolean {
  return a === b || compare(a, b) === 0;
}

function compareNumbers(a: number | bigint, b: number | bigint): number {
  if (a < b) return -1;
  if (a > b) return 1;
  // NaN sorts before every number and equals itself.
  return Number(Number.isNaN(b)) - Number(Number.isNaN(a));
}

/** By code point. JavaScript's own order is by UTF-16 unit, where U+FFFF comes after an emoji. */
export function compareStrings(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const unitA = a.charCodeAt(at);
    const unitB = b.charCodeAt(at);
    if (unitA === unitB) continue;
    if (unitA < 0xd800 || unitB < 0xd800) return unitA - unitB;
    return codePointOrder(unitA) - codePointOrder(unitB);
  }
  return a.length - b.length;
}

function codePointOrder(unit: number): number {
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

function compareArrays(a: readonly unknown[], b: readonly unknown[]): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const order = compare(a[at], b[at]);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** Member by member: type, then name, then value. */
function compareObjects(a: object, b: object): number {
  const membersA = Object.entries(a).filter(([, value]) => value !== undefined);
  const membersB = Object.entries(b).filter(([, value]) => value !== undefined);
  const length = Math.min(membersA.length, membersB.length);
  for (let at = 0; at < length; at++) {
    const [nameA, valueA] = membersA[at]! as [string, unknown];
    const [nameB, valueB] = membersB[at]! as [string, unknown];
    const order = rank(valueA) - rank(valueB) || compareStrings(nameA, nameB) || compare(valueA, valueB);
    if (order !== 0) return order;
  }
  return membersA.length - membersB.length;
}

function compareBinary(a: Uint8Array, b: Uint8Array): number {
  return a.length - b.length || Buffer.compare(a, b);
}
