/** Ranges: `[1,5)`, `(,2020-01-01]`, `empty` (PostgreSQL documentation, 8.17). Stored as the text of one canonical form. */
import { errors } from '../base/errors.js';
import { narrow, scalarFromJson } from './number.js';
import type { Stored } from './stored.js';
import { UTC } from './time-zone.js';
import { inZone, type ValueType } from './type.js';

/** Null means unbounded. */
interface Bound {
  readonly value: Stored | null;
  readonly inclusive: boolean;
}

interface Range {
  readonly lower: Bound;
  readonly upper: Bound;
}

type EmptyRange = 'empty';

/** `discrete`: its values have a successor, so that `(1,4]` is `[2,5)`. */
export function rangeType(name: string, subtype: ValueType, discrete: boolean): ValueType {
  const kept = inZone(subtype, UTC);
  const parse = (text: string): Stored =>
    rangeText(canonical(readRange(text, subtype), discrete, subtype), kept);
  const print = (value: Stored): string =>
    subtype === kept ? String(value) : rangeText(readRange(value as string, kept), subtype);
  return {
    name,
    family: 'range',
    element: undefined,
    bounds: subtype,
    ordered: false,
    equality: true,
    parse,
    // An array is taken by its text, which may be a range's: `[1,5]`.
    fromJson: (value) => scalarFromJson(value, parse),
    toJson: (value) => JSON.stringify(print(value)),
    toText: print,
    compare: (a, b) => compareRanges(readRange(a as string, kept), readRange(b as string, kept), kept),
    ...(subtype.inZone === undefined
      ? {}
      : { inZone: (zone) => rangeType(name, inZone(subtype, zone), discrete) }),
  };
}

export type RangeOperator = 'cs' | 'cd' | 'ov' | 'sl' | 'sr' | 'nxr' | 'nxl' | 'adj';

/** `@>`, `<@`, `&&`, `<<`, `>>`, `&<`, `&>` and `-|-`, with `right` on the right side. */
export function rangeTest(type: ValueType, op: RangeOperator, right: Stored): (left: Stored) => boolean {
  const subtype = type.bounds;
  if (subtype === undefined) throw new TypeError(`${type.name} is not a range`);
  const b = readRange(right as string, subtype);
  const holds = TESTS[op];
  return (left) => holds(readRange(left as string, subtype), b, subtype);
}

type Test = (a: Range | EmptyRange, b: Range | EmptyRange, subtype: ValueType) => boolean;

const TESTS: Readonly<Record<RangeOperator, Test>> = {
  cs: contains,
  cd: (a, b, subtype) => contains(b, a, subtype),
  ov: ofBoth((a, b, subtype) => reaches(a.lower, b.upper, subtype) && reaches(b.lower, a.upper, subtype)),
  sl: ofBoth((a, b, subtype) => !reaches(b.lower, a.upper, subtype)),
  sr: ofBoth((a, b, subtype) => !reaches(a.lower, b.upper, subtype)),
  nxr: ofBoth((a, b, subtype) => compareUpper(a.upper, b.upper, subtype) <= 0),
  nxl: ofBoth((a, b, subtype) => compareLower(a.lower, b.lower, subtype) >= 0),
  adj: ofBoth((a, b, subtype) => touches(a.upper, b.lower, subtype) || touches(b.upper, a.lower, subtype)),
};

/** The empty range touches and overlaps nothing. */
function ofBoth(test: (a: Range, b: Range, subtype: ValueType) => boolean): Test {
  return (a, b, subtype) => a !== 'empty' && b !== 'empty' && test(a, b, subtype);
}

function contains(a: Range | EmptyRange, b: Range | EmptyRange, subtype: ValueType): boolean {
  if (b === 'empty') return true;
  return (
    a !== 'empty' &&
    compareLower(a.lower, b.lower, subtype) <= 0 &&
    compareUpper(a.upper, b.upper, subtype) >= 0
  );
}

/** Whether a value is at or above the lower bound and at or below the upper one. */
function reaches(lower: Bound, upper: Bound, subtype: ValueType): boolean {
  if (lower.value === null || upper.value === null) return true;
  const order = subtype.compare(lower.value, upper.value);
  return order < 0 || (order === 0 && lower.inclusive && upper.inclusive);
}

/** Whether the bounds leave no gap and no overlap. */
function touches(upper: Bound, lower: Bound, subtype: ValueType): boolean {
  if (upper.value === null || lower.value === null) return false;
  return subtype.compare(upper.value, lower.value) === 0 && upper.inclusive !== lower.inclusive;
}

function compareRanges(a: Range | EmptyRange, b: Range | EmptyRange, subtype: ValueType): number {
  if (a === 'empty' || b === 'empty') return a === b ? 0 : a === 'empty' ? -1 : 1;
  return compareLower(a.lower, b.lower, subtype) || compareUpper(a.upper, b.upper, subtype);
}

function compareLower(a: Bound, b: Bound, subtype: ValueType): number {
  if (a.value === null || b.value === null) return a.value === b.value ? 0 : a.value === null ? -1 : 1;
  return subtype.compare(a.value, b.value) || Number(b.inclusive) - Number(a.inclusive);
}

function compareUpper(a: Bound, b: Bound, subtype: ValueType): number {
  if (a.value === null || b.value === null) return a.value === b.value ? 0 : a.value === null ? 1 : -1;
  return subtype.compare(a.value, b.value) || Number(a.inclusive) - Number(b.inclusive);
}

function readRange(text: string, subtype: ValueType): Range | EmptyRange {
  const literal = text.trim();
  if (literal.toLowerCase() === 'empty') return 'empty';
  const open = literal[0];
  if (open !== '[' && open !== '(') throw malformed(text, 'Missing left parenthesis or bracket.');
  const low = readBound(literal, 1);
  if (literal[low.end] !== ',') throw malformed(text, 'Missing comma after lower bound.');
  const high = readBound(literal, low.end + 1);
  const close = literal[high.end];
  if (close !== ']' && close !== ')') throw malformed(text, 'Too many commas, or no bracket at the end.');
  if (high.end + 1 < literal.length) throw malformed(text, 'Junk after right parenthesis or bracket.');
  const [lower, upper] = [low, high].map((bound) =>
    bound.text === undefined ? null : subtype.parse(bound.text),
  );
  return {
    lower: { value: lower ?? null, inclusive: open === '[' && lower !== null },
    upper: { value: upper ?? null, inclusive: close === ']' && upper !== null },
  };
}

/** To the first comma or bracket from `start` that is not quoted or escaped; an empty bound means unbounded. */
function readBound(literal: string, start: number): { text: string | undefined; end: number } {
  let text = '';
  let quoted = false;
  let at = start;
  for (; at < literal.length; at++) {
    const character = literal[at]!;
    if (character === '\\') text += literal[++at] ?? '';
    else if (character === '"' && quoted && literal[at + 1] === '"') text += literal[++at]!;
    else if (character === '"') quoted = !quoted;
    else if (!quoted && ',()[]'.includes(character)) break;
    else text += character;
  }
  return { text: at === start ? undefined : text, end: at };
}

/** One form for equal ranges. Throws 22000 for bounds in the wrong order. */
function canonical(range: Range | EmptyRange, discrete: boolean, subtype: ValueType): Range | EmptyRange {
  if (range === 'empty') return range;
  const { lower: low, upper: high } = range;
  if (low.value !== null && high.value !== null && subtype.compare(low.value, high.value) > 0) {
    throw errors['22000']({ message: 'range lower bound must be less than or equal to range upper bound' });
  }
  const lower =
    discrete && !low.inclusive ? { value: next(low.value, subtype), inclusive: low.value !== null } : low;
  const upper = discrete && high.inclusive ? { value: next(high.value, subtype), inclusive: false } : high;
  if (lower.value === null || upper.value === null) return { lower, upper };
  const order = subtype.compare(lower.value, upper.value);
  return order > 0 || (order === 0 && !(lower.inclusive && upper.inclusive)) ? 'empty' : { lower, upper };
}

/** Throws 22003 after the greatest integer. */
function next(value: Stored | null, subtype: ValueType): Stored | null {
  if (value === null || value === Infinity || value === -Infinity) return value;
  const following = BigInt(value as number | bigint) + 1n;
  return subtype.family === 'integer' ? subtype.parse(String(following)) : narrow(following);
}

function rangeText(range: Range | EmptyRange, subtype: ValueType): string {
  if (range === 'empty') return range;
  const { lower, upper } = range;
  const bounds = [lower, upper].map(({ value }) => (value === null ? '' : quoted(subtype.toText(value))));
  return `${lower.inclusive ? '[' : '('}${bounds.join(',')}${upper.inclusive ? ']' : ')'}`;
}

function quoted(text: string): string {
  return /[\s()[\],"\\]/.test(text) ? `"${text.replace(/["\\]/g, '$&$&')}"` : text;
}

function malformed(text: string, details: string): Error {
  return errors['22P02']({ message: `malformed range literal: "${text}"`, details });
}
