/** The conditions of a filter on single paths: the part that an index can serve. */
import { isPlainObject, type Values } from '../../bson/value.js';
import { compare, rank, Rank } from '../../order.js';
import { compile } from '../filter/predicate.js';

export interface Limit {
  readonly value: unknown;
  readonly inclusive: boolean;
}

/** One condition: the value (or an item of it) is one of the points, or within the limits. */
export type Demand =
  | { readonly points: readonly unknown[] }
  | { readonly lower: Limit | undefined; readonly upper: Limit | undefined };

export interface Demands {
  readonly byPath: ReadonlyMap<string, readonly Demand[]>;
  /** Paths that must exist. */
  readonly existing: ReadonlySet<string>;
  /** Whether the demands are equivalent to the filter. */
  readonly complete: boolean;
}

/** `present`: paths that every match has regardless of the filter. */
export function demands(filter: object, present: readonly string[] = []): Demands {
  const byPath = new Map<string, Demand[]>();
  const existing = new Set<string>(present);
  const complete = collect(filter, byPath, existing);
  for (const [path, list] of byPath) if (list.some(excludesMissing)) existing.add(path);
  return { byPath, existing, complete };
}

/** False if the filter has conditions that were not collected. */
function collect(filter: object, byPath: Map<string, Demand[]>, existing: Set<string>): boolean {
  let complete = true;
  for (const [key, value] of Object.entries(filter) as [string, unknown][]) {
    if (key === '$and')
      for (const part of value as object[]) complete = collect(part, byPath, existing) && complete;
    else if (key.startsWith('$')) complete = false;
    else {
      const list = byPath.get(key) ?? [];
      complete = collectPath(value, list, () => existing.add(key)) && complete;
      if (list.length > 0) byPath.set(key, list);
    }
  }
  return complete;
}

function collectPath(value: unknown, list: Demand[], exists: () => void): boolean {
  if (!isPlainObject(value) || !Object.keys(value).some((key) => key.startsWith('$'))) {
    if (!canBePoint(value)) return false;
    list.push({ points: [value] });
    return true;
  }
  let complete = true;
  for (const [operator, operand] of Object.entries(value)) {
    if (operator === '$exists' && operand === true) exists();
    const demand = demandOf(operator, operand);
    if (demand !== undefined) list.push(demand);
    if (demand === undefined || operator === '$regex') complete = false;
  }
  return complete;
}

function demandOf(operator: string, operand: unknown): Demand | undefined {
  switch (operator) {
    case '$eq':
      return canBePoint(operand) ? { points: [operand] } : undefined;
    case '$in':
      return Array.isArray(operand) && operand.every(canBePoint)
        ? { points: operand as unknown[] }
        : undefined;
    case '$regex':
      return beginning(operand as RegExp);
    case '$gt':
    case '$gte':
    case '$lt':
    case '$lte': {
      const inclusive = operator === '$gte' || operator === '$lte';
      if (!canBePoint(operand)) return undefined;
      if (operand === null) return inclusive ? { points: [null] } : undefined;
      if (Number.isNaN(operand)) return { points: inclusive ? [NaN] : [] };
      const limit = { value: operand, inclusive };
      if (operator.startsWith('$g')) return { lower: limit, upper: undefined };
      return { lower: rank(operand) === Rank.number ? LEAST : undefined, upper: limit };
    }
    default:
      return undefined;
  }
}

/** Excludes NaN, which sorts before all numbers but is not less than any. */
const LEAST: Limit = { value: -Infinity, inclusive: true };

/** `/^abc/` is the range from "abc" to "abd". Only the plain ASCII before the first metacharacter counts. */
function beginning({ source, flags }: RegExp): Demand | undefined {
  if (/[im]/.test(flags) || source.includes('|')) return undefined;
  const [, plain = '', next = ''] = /^\^([\w :;,@#%&=~"'<>!/-]*)(.?)/s.exec(source) ?? [];
  // A quantifier makes the character before it optional.
  const text = /[*?{]/.test(next) ? plain.slice(0, -1) : plain;
  if (text === '') return undefined;
  const after = text.slice(0, -1) + String.fromCharCode(text.charCodeAt(text.length - 1) + 1);
  return { lower: { value: text, inclusive: true }, upper: { value: after, inclusive: false } };
}

/** An index holds the items of an array, not the array. */
function canBePoint(value: unknown): boolean {
  return !Array.isArray(value) && !(value instanceof RegExp);
}

function excludesMissing(demand: Demand): boolean {
  return 'points' in demand ? demand.points.every((point) => rank(point) !== Rank.null) : true;
}

/**
 * Combines the demands on one path. If documents have arrays there, different items may meet different demands, so
 * only one demand can bound the range.
 */
export function combine(list: readonly Demand[], multikey: boolean): Demand | undefined {
  const pointed = list.filter((demand) => 'points' in demand);
  if (pointed.length > 0)
    return pointed.reduce((best, demand) => (demand.points.length < best.points.length ? demand : best));
  const ranges = list.filter((demand) => 'lower' in demand);
  if (ranges.length === 0) return undefined;
  if (multikey) return ranges[0];
  const type = rank((ranges[0]!.lower ?? ranges[0]!.upper)!.value);
  return ranges
    .filter(({ lower, upper }) => rank((lower ?? upper)!.value) === type)
    .reduce((a, b) => ({ lower: tighter(a.lower, b.lower, 1), upper: tighter(a.upper, b.upper, -1) }));
}

function tighter(a: Limit | undefined, b: Limit | undefined, direction: 1 | -1): Limit | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const order = compare(a.value, b.value) * direction;
  if (order === 0) return a.inclusive ? b : a;
  return order > 0 ? a : b;
}

/** Whether every document that meets the demands also matches the filter of a partial index. */
export function implies(wanted: Demands, partial: object): boolean {
  return Object.entries(partial).every(([key, value]: [string, unknown]) => {
    if (key === '$and') return (value as object[]).every((part) => implies(wanted, part));
    if (isPlainObject(value) && Object.keys(value).some((operator) => operator.startsWith('$')))
      return Object.entries(value).every(([operator, operand]) => impliesOne(wanted, key, operator, operand));
    return impliesOne(wanted, key, '$eq', value);
  });
}

function impliesOne(wanted: Demands, path: string, operator: string, operand: unknown): boolean {
  if (operator === '$exists') return operand === true && wanted.existing.has(path);
  const holds = compile({ value: { [operator]: operand } } as Values);
  return (wanted.byPath.get(path) ?? []).some((demand) =>
    'points' in demand
      ? demand.points.length > 0 && demand.points.every((value) => holds({ value: value as unknown }))
      : withinLimit(demand, operator, operand, holds),
  );
}

function withinLimit(
  { lower, upper }: { lower: Limit | undefined; upper: Limit | undefined },
  operator: string,
  operand: unknown,
  holds: (document: Values) => boolean,
): boolean {
  const limit = operator.startsWith('$g') ? lower : operator.startsWith('$l') ? upper : undefined;
  if (limit === undefined || rank(limit.value) !== rank(operand)) return false;
  return holds({ value: limit.value }) || (!limit.inclusive && compare(limit.value, operand) === 0);
}
