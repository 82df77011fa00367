/** From an operation of the query language to a condition on a value: the type must have the operator. */
import { errors } from '../base/errors.js';
import type { CompareOperator, Operation } from '../query/query.js';
import { arrayType } from '../values/array.js';
import type { Stored } from '../values/stored.js';
import { text } from '../values/text.js';
import { rangeTest, type RangeOperator } from '../values/range.js';
import type { ValueType } from '../values/type.js';
import type { Comparison, Condition } from './level.js';
import { contains, overlaps } from './containment.js';
import { likePattern } from '../pattern/like.js';
import { regularExpression } from '../pattern/regular-expression.js';
import { textSearch } from './text-search.js';
import type { Value } from './value.js';

/** PostgreSQL's spelling of the operators, for its messages. */
const SYMBOLS: Readonly<Record<CompareOperator, string>> = {
  eq: '=',
  neq: '<>',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
  like: '~~',
  ilike: '~~*',
  match: '~',
  imatch: '~*',
  cs: '@>',
  cd: '<@',
  ov: '&&',
  sl: '<<',
  sr: '>>',
  nxr: '&<',
  nxl: '&>',
  adj: '-|-',
};

export function operationOn(value: Value, operation: Operation): Condition {
  switch (operation.kind) {
    case 'in':
      return inList(value, operation.values);
    case 'is':
      return isTruth(value, operation.value);
    case 'isdistinct':
      needEquality(value.type, '=');
      return { kind: 'distinct', value, operand: value.type.parse(operation.value) };
    case 'count':
      throw new TypeError('only the rows of an embed are counted');
    case 'search':
      return textSearch(value, operation);
    case 'compare':
      return operation.quantifier === undefined
        ? compare(value, operation.op, operation.value)
        : quantified(value, operation.op, operation.quantifier, operation.value);
  }
}

function inList(value: Value, words: readonly string[]): Condition {
  needEquality(value.type, '=');
  return { kind: 'in', value, operands: words.map((word) => value.type.parse(word)) };
}

function isTruth(value: Value, what: Extract<Operation, { kind: 'is' }>['value']): Condition {
  if (what === 'null') return { kind: 'null', value };
  if (what === 'not_null') return { kind: 'not', condition: { kind: 'null', value } };
  if (value.type.family !== 'boolean') {
    throw errors['42804']({
      values: { construct: `IS ${what.toUpperCase()}`, expected: 'boolean', actual: value.type.name },
    });
  }
  return what === 'unknown' ? { kind: 'null', value } : { kind: 'boolean', value, is: what === 'true' };
}

/** `op(any).{a,b}` holds for one of the literals, `op(all).{a,b}` for each. */
function quantified(value: Value, op: CompareOperator, quantifier: 'any' | 'all', list: string): Condition {
  const items = arrayType(isPattern(op) ? text : value.type).parse(list) as readonly (Stored | null)[];
  const conditions = items.map((item) =>
    isPattern(op)
      ? item === null
        ? unknown(value)
        : compare(value, op, item as string)
      : comparison(value, op as Comparison, item),
  );
  return { kind: quantifier === 'any' ? 'or' : 'and', conditions };
}

/** Comparing with null: never true and never false. */
function unknown(value: Value): Condition {
  return { kind: 'compare', value, op: 'eq', operand: null };
}

function isPattern(op: CompareOperator): boolean {
  return op === 'like' || op === 'ilike' || op === 'match' || op === 'imatch';
}

function compare(value: Value, op: CompareOperator, literal: string): Condition {
  switch (op) {
    case 'eq':
    case 'neq':
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return comparison(value, op, value.type.parse(literal));
    case 'like':
    case 'ilike': {
      needText(value.type, op);
      const { test, pattern } = likePattern(literal.replaceAll('*', '%'), op === 'ilike');
      return { kind: 'test', value, test: (stored) => test(value.type.toText(stored)), pattern };
    }
    case 'match':
    case 'imatch': {
      needText(value.type, op);
      const test = regularExpression(literal, op === 'imatch');
      return { kind: 'test', value, test: (stored) => test(value.type.toText(stored)), pattern: undefined };
    }
    case 'cs':
    case 'cd':
    case 'ov':
      return containment(value, op, literal);
    default:
      return besides(value, op, literal);
  }
}

function comparison(value: Value, op: Comparison, operand: Stored | null): Condition {
  needEquality(value.type, SYMBOLS[op]);
  const { labels } = value.type;
  if (labels === undefined || operand === null || op === 'eq' || op === 'neq') {
    return { kind: 'compare', value, op, operand };
  }
  // As a list, so that storage can decide it.
  const place = labels.indexOf(operand as string);
  const from = op === 'gt' ? place + 1 : op === 'gte' ? place : 0;
  const to = op === 'lt' ? place : op === 'lte' ? place + 1 : labels.length;
  return { kind: 'in', value, operands: labels.slice(from, to) };
}

function containment(value: Value, op: 'cs' | 'cd' | 'ov', literal: string): Condition {
  const { type } = value;
  if (type.family === 'range') return besides(value, op, literal);
  const isDocument = type.name === 'jsonb' && op !== 'ov';
  if (type.family !== 'array' && !isDocument) throw noOperator(type, op);
  const operand = type.parse(literal);
  const tests: Record<typeof op, (stored: Stored) => boolean> = {
    cs: (stored) => contains(type, stored, operand),
    cd: (stored) => contains(type, operand, stored),
    ov: (stored) => overlaps(type, stored, operand),
  };
  return { kind: 'test', value, test: tests[op], pattern: undefined };
}

/** The relative position of two ranges. */
function besides(value: Value, op: RangeOperator, literal: string): Condition {
  const { type } = value;
  if (type.family !== 'range') throw noOperator(type, op);
  return { kind: 'test', value, test: rangeTest(type, op, type.parse(literal)), pattern: undefined };
}

/** json has no equality: equal documents may have different texts. */
function needEquality(type: ValueType, symbol: string): void {
  if (type.name === 'json') {
    throw errors['42883']({ values: { left: 'json', operator: symbol, right: 'unknown' } });
  }
}

function needText(type: ValueType, op: CompareOperator): void {
  if (type.family !== 'text' && type.family !== 'unknown') throw noOperator(type, op);
}

function noOperator(type: ValueType, op: CompareOperator): Error {
  return errors['42883']({
    values: { left: type.name, operator: SYMBOLS[op], right: 'unknown' },
    hint: 'No operator matches the given name and argument types. You might need to add explicit type casts.',
  });
}
