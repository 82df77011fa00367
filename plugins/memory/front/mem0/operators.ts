/** Conditions on a field: a value, or operators by name. */
import { isDeepStrictEqual } from 'node:util';
import { invalid } from './invalid.js';

/** Null: the entry has no such value. */
export type Compare = (value: unknown) => boolean;

const OPERATORS: Readonly<Record<string, (operand: unknown, name: string) => Compare>> = {
  eq: (operand) => (value) => isDeepStrictEqual(value, operand),
  // Also true for entries without a value.
  ne: (operand) => (value) => !isDeepStrictEqual(value, operand),
  in: (operand, name) => {
    const values = new Set(valuesOf(operand, name));
    return (value) => values.has(value);
  },
  gt: (operand, name) => ordered(operand, name, (order) => order > 0),
  gte: (operand, name) => ordered(operand, name, (order) => order >= 0),
  lt: (operand, name) => ordered(operand, name, (order) => order < 0),
  lte: (operand, name) => ordered(operand, name, (order) => order <= 0),
  contains: (operand) => containing(operand, (text) => text),
  icontains: (operand) => containing(operand, (text) => text.toLowerCase()),
};

const MOST_VALUES = 1_000;

/** Throws `mem0_invalid`, naming the field. */
export function comparison(asked: unknown, name: string): Compare {
  if (typeof asked !== 'object' || asked === null) return OPERATORS['eq']!(asked, name);
  if (Array.isArray(asked)) throw invalid(`${name}: an array needs an operator such as "in"`);
  const compares = Object.entries(asked).map(([operator, operand]) => {
    const make = Object.hasOwn(OPERATORS, operator) ? OPERATORS[operator] : undefined;
    if (make === undefined)
      throw invalid(
        `${name}: unknown operator "${operator}"; known are ${Object.keys(OPERATORS).join(', ')}`,
      );
    return make(operand, name);
  });
  if (compares.length === 0) throw invalid(`${name}: {} asks for nothing`);
  return (value) => compares.every((compare) => compare(value));
}

/** Like `comparison`, with dates as milliseconds. */
export function dated(asked: unknown, name: string): unknown {
  if (Array.isArray(asked)) return asked.map((each) => dated(each, name));
  if (typeof asked !== 'object' || asked === null) return instantOf(asked, name);
  return Object.fromEntries(
    Object.entries(asked).map(([operator, operand]) => [operator, dated(operand, name)]),
  );
}

/** ISO 8601, or seconds since the epoch. Throws `mem0_invalid`. */
export function instantOf(value: unknown, name: string): number | null {
  if (value === null) return null;
  const instant =
    typeof value === 'number' ? value * 1000 : Date.parse(typeof value === 'string' ? value : '');
  if (Math.abs(instant) <= 8.64e15) return instant;
  throw invalid(`${name} must be a date, such as 2026-11-23, or seconds since 1970`);
}

function ordered(operand: unknown, name: string, holds: (order: number) => boolean): Compare {
  if (typeof operand !== 'number' && typeof operand !== 'string')
    throw invalid(`${name}: gt, gte, lt and lte take a number, a text or a date`);
  return (value) => typeof value === typeof operand && holds(orderOf(value as typeof operand, operand));
}

function orderOf(a: number | string, b: number | string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Substring of a text, or member of an array. */
function containing(operand: unknown, fold: (text: string) => string): Compare {
  const wanted = typeof operand === 'string' ? fold(operand) : operand;
  const folded = (value: unknown): unknown => (typeof value === 'string' ? fold(value) : value);
  return (value) => {
    if (Array.isArray(value)) return value.some((each) => isDeepStrictEqual(folded(each), wanted));
    return typeof value === 'string' && typeof wanted === 'string' && fold(value).includes(wanted);
  };
}

/** Looked up by key, so that testing an entry does not scan them. */
function valuesOf(operand: unknown, name: string): unknown[] {
  const isList = Array.isArray(operand) && operand.length <= MOST_VALUES;
  if (isList && operand.every((value) => typeof value !== 'object' || value === null))
    return operand as unknown[];
  throw invalid(`${name}: "in" takes an array of at most ${MOST_VALUES} texts, numbers, booleans or nulls`);
}
