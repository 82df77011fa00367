/** The port's filters in MongoDB's words. What the port does not offer is `invalid`, whatever MongoDB would make of it. */
import { BSONRegExp, type Document as DriverDocument } from 'mongodb';
import { StorageError } from '../../../sdk/index.js';
import { checkValue } from './values.js';

/** `forUpsert`: what equals something in it is also what is inserted. */
export function toFilter(filter: object, forUpsert = false): DriverDocument {
  const result: DriverDocument = {};
  for (const [key, value] of Object.entries(filter)) {
    if (value === undefined) invalid(`"${key}" is undefined; leave it out or ask for null`);
    if (key === '$expr') result[key] = comparison(value);
    else if (LOGICAL.has(key))
      result[key] = listOf(key, value).map((part) => toFilter(objectAt(key, part), forUpsert));
    else if (key.startsWith('$')) invalid(`unknown operator "${key}"`);
    else if (!isOperators(value)) result[key] = literal(key, value);
    else result[key] = forUpsert ? toCondition(value) : withoutNullBounds(toCondition(value));
  }
  return result;
}

/** Whether the object is made of operators: `{ $gt: 1 }`. */
export function isOperators(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const [first] = Object.keys(value);
  return first !== undefined && first.startsWith('$');
}

export function toCondition(condition: Readonly<Record<string, unknown>>): DriverDocument {
  const result: DriverDocument = {};
  for (const [operator, value] of Object.entries(condition)) {
    const convert = OPERATORS[operator];
    if (convert === undefined) invalid(`unknown operator "${operator}"`);
    if (value === undefined) invalid(`"${operator}" of undefined`);
    result[operator] = convert(value, operator);
  }
  return result;
}

/** With `$lte: null` a sparse index is read, which lacks the documents without the member; with `$in` it is not. */
function withoutNullBounds(condition: DriverDocument): DriverDocument {
  if ('$in' in condition || (condition['$lte'] !== null && condition['$gte'] !== null)) return condition;
  const { $lte, $gte, ...others } = condition;
  return {
    ...others,
    ...($lte !== undefined && $lte !== null && { $lte }),
    ...($gte !== undefined && $gte !== null && { $gte }),
    $in: [null],
  };
}

const LOGICAL = new Set(['$and', '$or', '$nor']);

const OPERATORS: Readonly<Record<string, (value: unknown, operator: string) => unknown>> = {
  $eq: operand,
  $ne: operand,
  $gt: operand,
  $gte: operand,
  $lt: operand,
  $lte: operand,
  $in: operands,
  $nin: operands,
  $all: (value, operator) =>
    Array.isArray(value) && value.length > 0 && value.every(isElemMatch)
      ? value.map(toCondition)
      : operands(value, operator),
  $exists: (value) => (typeof value === 'boolean' ? value : invalid('"$exists" takes true or false')),
  $regex: (value) => (value instanceof RegExp ? toRegExp(value) : invalid('"$regex" takes a RegExp')),
  $size: (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= 0
      ? value
      : invalid('"$size" takes a whole number from 0'),
  $not: (value) => (isOperators(value) ? toCondition(value) : invalid('"$not" takes a condition')),
  $elemMatch: (value) => {
    const inner = objectAt('$elemMatch', value);
    return isOperators(inner) && Object.keys(inner).every((key) => key in OPERATORS)
      ? toCondition(inner)
      : toFilter(inner);
  },
};

function isElemMatch(value: unknown): value is { $elemMatch: unknown } {
  return isOperators(value) && Object.keys(value)[0] === '$elemMatch';
}

function operand(value: unknown, operator: string): unknown {
  return literal(operator, value);
}

function operands(value: unknown, operator: string): unknown {
  if (!Array.isArray(value)) invalid(`"${operator}" takes an array`);
  return value.map((item) => literal(operator, item));
}

function literal(where: string, value: unknown): unknown {
  if (value instanceof RegExp) invalid(`"${where}": a RegExp goes into $regex`);
  checkValue(value, where);
  return value;
}

const COMPARISONS = new Set(['$eq', '$ne', '$gt', '$gte', '$lt', '$lte']);

function comparison(value: unknown): unknown {
  const entries = Object.entries(objectAt('$expr', value));
  if (entries.length === 0) invalid('"$expr" takes one comparison');
  for (const [operator, sides] of entries) {
    if (!COMPARISONS.has(operator)) invalid(`unknown operator "${operator}" in $expr`);
    if (!Array.isArray(sides) || sides.length !== 2) invalid(`"${operator}" in $expr takes two operands`);
    for (const side of sides) checkOperand(side);
  }
  return entries.length === 1 ? value : { $and: entries.map(([operator, sides]) => ({ [operator]: sides })) };
}

function checkOperand(value: unknown): void {
  if (isOperators(value) && Array.isArray(value['$add']) && Object.keys(value).length === 1)
    return value['$add'].forEach(checkTerm);
  checkTerm(value);
}

function checkTerm(value: unknown): void {
  if (typeof value === 'number' || (typeof value === 'string' && /^\$[^$]/.test(value))) return;
  invalid('$expr takes "$path", numbers, and $add of these');
}

/** PCRE's `$` also matches before a last newline; JavaScript's does not, which PCRE writes `\z`. */
function toRegExp(pattern: RegExp): BSONRegExp {
  const flags = pattern.flags.replace(/[dg]/g, '');
  if (/[^ims]/.test(flags)) invalid(`"$regex": flags i, m and s, not "${pattern.flags}"`);
  const source = flags.includes('m')
    ? pattern.source
    : pattern.source.replace(/\\.|\[(?:\\.|[^\]\\])*\]|\$/gs, (part) => (part === '$' ? '\\z' : part));
  return new BSONRegExp(source, flags);
}

function listOf(operator: string, value: unknown): readonly unknown[] {
  return Array.isArray(value) && value.length > 0 ? value : invalid(`"${operator}" takes a list of filters`);
}

function objectAt(operator: string, value: unknown): object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? value
    : invalid(`"${operator}" takes an object`);
}

function invalid(message: string): never {
  throw new StorageError('invalid', `filter: ${message}`);
}
