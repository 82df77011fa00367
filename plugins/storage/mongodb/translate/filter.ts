/**
 * Translates the port's filters to MongoDB's. What the port does not offer is `invalid`, even if MongoDB accepts it.
 */
import type { Document as DriverDocument } from 'mongodb';
import { StorageError } from 'plugboard/sdk';
import { isPlainObject } from '../../bson/value.js';
import { toPcre } from './pcre.js';
import { checkValue } from './values.js';

/** `forUpsert`: its equalities are also inserted. */
export function toFilter(filter: object, forUpsert = false): DriverDocument {
  const result = emptyDocument();
  for (const [key, value] of Object.entries(filter)) {
    if (value === undefined) invalid(`"${key}" is undefined; leave it out or ask for null`);
    if (LOGICAL.has(key))
      result[key] = listOf(key, value).map((part) => toFilter(objectAt(key, part), forUpsert));
    else if (key.startsWith('$')) invalid(`unknown operator "${key}"`);
    else if (!isOperators(value)) result[key] = unmixed(key, literal(key, value));
    else result[key] = forUpsert ? toCondition(value) : withoutNullBounds(toCondition(value));
  }
  return result;
}

/** Without a prototype: every name, even `__proto__`, is a member. */
function emptyDocument(): DriverDocument {
  return Object.create(null) as DriverDocument;
}

/** Whether the object consists of operators: `{ $gt: 1 }`. */
export function isOperators(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const [first] = Object.keys(value);
  return first !== undefined && first.startsWith('$');
}

function toCondition(condition: Readonly<Record<string, unknown>>): DriverDocument {
  const result = emptyDocument();
  for (const [operator, value] of Object.entries(condition)) {
    const convert = OPERATORS.get(operator);
    if (convert === undefined) invalid(`unknown operator "${operator}"`);
    if (value === undefined) invalid(`"${operator}" of undefined`);
    result[operator] = convert(value, operator);
  }
  return result;
}

/** `$lte: null` would use a sparse index, which lacks documents without the member; `$in` does not. */
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

const OPERATORS = new Map<string, (value: unknown, operator: string) => unknown>(
  Object.entries({
    $eq: operand,
    $ne: operand,
    $gt: operand,
    $gte: operand,
    $lt: operand,
    $lte: operand,
    $in: operands,
    $nin: operands,
    $exists: (value: unknown) =>
      typeof value === 'boolean' ? value : invalid('"$exists" takes true or false'),
    $regex: (value: unknown) =>
      value instanceof RegExp ? toPcre(value) : invalid('"$regex" takes a RegExp'),
    $not: (value: unknown) => (isOperators(value) ? toCondition(value) : invalid('"$not" takes a condition')),
  }),
);

function operand(value: unknown, operator: string): unknown {
  return literal(operator, value);
}

function operands(value: unknown, operator: string): unknown {
  if (!Array.isArray(value)) invalid(`"${operator}" takes an array`);
  return value.map((item) => {
    if (item === undefined) invalid(`"${operator}" of undefined`);
    if (isOperators(item)) invalid(`"${operator}" takes values, not conditions`);
    return literal(operator, item);
  });
}

function literal(where: string, value: unknown): unknown {
  if (value instanceof RegExp) invalid(`"${where}": a RegExp goes into $regex`);
  checkValue(value, where);
  return value;
}

/** The server would search for an object with these members. */
function unmixed(key: string, value: unknown): unknown {
  if (isPlainObject(value) && Object.keys(value).some((name) => name.startsWith('$')))
    invalid(`"${key}": operators and members are mixed`);
  return value;
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
