/**
 * The part of a condition that storage can decide. A condition can be true, false or, with null, neither, and `not`
 * swaps true and false, so that a filter for either is exact under SQL's logic.
 */
import type { Comparison, Condition } from '../plan/level.js';
import type { KeySet } from '../plan/key-set.js';
import type { Value } from '../plan/value.js';
import type { SearchQuery } from '../search/query.js';
import type { Stored } from '../values/stored.js';
import { allOf, anyOf, noneOf, NOTHING, onField, type RowFilter } from './row-filter.js';
import { wordFilter } from './word-filter.js';

/** More keys than this are looked up in a hash table instead of being sent. */
const MAX_KEYS = 50_000;

const OPPOSITE: Readonly<Record<Comparison, Comparison>> = {
  eq: 'neq',
  neq: 'eq',
  gt: 'lte',
  gte: 'lt',
  lt: 'gte',
  lte: 'gt',
};

/** A filter for the rows of which the condition is true, or undefined when storage cannot decide it. */
export function filterFor(condition: Condition, wanted = true): RowFilter | undefined {
  switch (condition.kind) {
    case 'not':
      return filterFor(condition.condition, !wanted);
    case 'and':
    case 'or':
      return combined(condition.conditions, (condition.kind === 'and') === wanted, wanted);
    case 'constant':
      return condition.is === wanted ? {} : NOTHING;
    case 'compare': {
      const { value, op, operand } = condition;
      if (operand === null) return NOTHING;
      return compared(value, wanted ? op : OPPOSITE[op], operand);
    }
    case 'in':
      return oneOf(condition.value, condition.operands, wanted);
    case 'distinct':
      return plainEquality(condition.value)
        ? on(condition.value, wanted ? { $ne: condition.operand } : { $eq: condition.operand })
        : undefined;
    case 'null':
      if (condition.value.computed !== undefined || !condition.value.plain) return undefined;
      return on(condition.value, wanted ? { $eq: null } : { $ne: null });
    case 'boolean':
      if (!condition.value.plain) return undefined;
      return on(condition.value, wanted ? { $eq: condition.is } : { $ne: condition.is });
    case 'test':
      if (condition.words !== undefined) return searched(condition.value, condition.words, wanted);
      if (condition.pattern === undefined || !isStoredText(condition.value)) return undefined;
      return wanted
        ? on(condition.value, { $regex: condition.pattern })
        : on(condition.value, { $not: { $regex: condition.pattern }, $ne: null });
    case 'keys':
      return inKeys(condition.fields, condition.keys, wanted);
    case 'related':
      return undefined;
  }
}

/** Undefined if the lexemes do not decide it. */
function searched(
  value: Value,
  { member, query }: NonNullable<Extract<Condition, { kind: 'test' }>['words']>,
  wanted: boolean,
): RowFilter | undefined {
  const { filter, exact } = wordFilter(member, query);
  if (!exact) return undefined;
  // A row without a value has no words, and matches neither a search nor its negation.
  if (wanted && !denies(query)) return filter;
  return allOf([wanted ? filter : noneOf([filter]), on(value, { $ne: null })]);
}

function denies(query: SearchQuery | undefined): boolean {
  if (query === undefined || query.kind === 'lexeme') return false;
  return query.kind === 'and' || query.kind === 'or' ? query.queries.some(denies) : true;
}

/** A filter that passes all rows of which the condition is true, and others: for what storage cannot decide. */
export function hintFor(condition: Condition): RowFilter | undefined {
  switch (condition.kind) {
    case 'and':
    case 'or': {
      const hints = condition.conditions.map((part) => filterFor(part) ?? hintFor(part));
      const known = hints.filter((hint) => hint !== undefined);
      if (condition.kind === 'and') return known.length === 0 ? undefined : allOf(known);
      return known.length < hints.length ? undefined : anyOf(known);
    }
    case 'compare': {
      const { value, op, operand } = condition;
      // A text of these characters is in the document without escapes.
      if (value.ofDocument !== true || op !== 'eq' || !/^[\w -]+$/.test(String(operand))) return undefined;
      return on(value, { $regex: new RegExp(String(operand)) });
    }
    case 'test':
      if (condition.words === undefined) return undefined;
      return wordFilter(condition.words.member, condition.words.query).filter;
    default:
      return undefined;
  }
}

function on(value: Value, condition: object): RowFilter {
  return onField(value.field, condition);
}

function combined(conditions: readonly Condition[], all: boolean, wanted: boolean): RowFilter | undefined {
  const filters: RowFilter[] = [];
  for (const condition of conditions) {
    const filter = filterFor(condition, wanted);
    if (filter === undefined) return undefined;
    filters.push(filter);
  }
  return all ? allOf(filters) : anyOf(filters);
}

function compared(value: Value, op: Comparison, operand: Stored): RowFilter | undefined {
  if (op === 'eq') return plainEquality(value) ? on(value, { $eq: operand }) : undefined;
  if (op === 'neq') return plainEquality(value) ? on(value, { $nin: [operand, null] }) : undefined;
  if (!value.plain || !value.type.ordered || value.type.family === 'float')
    return floatCompared(value, op, operand);
  return on(value, { [`$${op}`]: operand });
}

/** NaN is stored as a text and is greater than every number. */
function floatCompared(value: Value, op: Comparison, operand: Stored): RowFilter | undefined {
  if (!value.plain || value.type.family !== 'float' || operand === 'NaN') return undefined;
  const numbers = on(value, { [`$${op}`]: operand });
  return op === 'gt' || op === 'gte' ? anyOf([numbers, on(value, { $eq: 'NaN' })]) : numbers;
}

function oneOf(value: Value, operands: readonly Stored[], wanted: boolean): RowFilter | undefined {
  if (!plainEquality(value)) return undefined;
  return on(value, wanted ? { $in: operands } : { $nin: [...operands, null] });
}

/** Membership in a key set is never unknown: a row with a null in its key is simply not in it. */
function inKeys(fields: readonly string[], { tuples }: KeySet, wanted: boolean): RowFilter | undefined {
  if (tuples.length > MAX_KEYS || (fields.length > 1 && tuples.length > 100)) return undefined;
  if (fields.length === 1) {
    const values = tuples.map(([value]) => value!);
    return onField(fields[0]!, wanted ? { $in: values } : { $nin: values });
  }
  const parts = tuples.map((tuple) =>
    Object.fromEntries(tuple.map((value, at) => [fields[at]!, value])),
  ) as RowFilter[];
  return wanted ? anyOf(parts) : noneOf(parts);
}

/** Storage's own equality also matches items, unlike an array column's. */
function plainEquality(value: Value): boolean {
  return value.plain && value.type.equality && value.type.family !== 'array';
}

/** Text that is stored unchanged. */
function isStoredText(value: Value): boolean {
  return value.plain && value.type.family === 'text' && !value.type.name.startsWith('character(');
}
