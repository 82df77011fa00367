/** `$expr`: fields, and sums of fields and numbers, compared with each other in the order of all types. */
import { StorageError } from '../../../../sdk/storage.js';
import { isPlainObject, type Values } from '../../bson/value.js';
import { compare } from '../../order.js';
import { checkPath, parsePath, type Path } from '../values/path.js';
import { DoubleDouble } from './double-double.js';

type Operand = (document: Values) => unknown;

const COMPARISONS: ReadonlyMap<string, (order: number) => boolean> = new Map([
  ['$eq', (order) => order === 0],
  ['$ne', (order) => order !== 0],
  ['$gt', (order) => order > 0],
  ['$gte', (order) => order >= 0],
  ['$lt', (order) => order < 0],
  ['$lte', (order) => order <= 0],
]);

export function compileComparison(expression: unknown): (document: Values) => boolean {
  if (!isPlainObject(expression) || Object.keys(expression).length === 0)
    throw new StorageError('invalid', '$expr takes a comparison of fields');
  const parts = Object.entries(expression).map(([operator, operands]) => {
    const holds = COMPARISONS.get(operator);
    if (holds === undefined) throw new StorageError('invalid', `$expr: unknown operator "${operator}"`);
    if (!Array.isArray(operands) || operands.length !== 2)
      throw new StorageError('invalid', `$expr: ${operator} takes two operands`);
    const left = compileOperand(operands[0]);
    const right = compileOperand(operands[1]);
    return (document: Values) => holds(compareExpressions(left(document), right(document)));
  });
  return (document) => parts.every((part) => part(document));
}

/** Unlike in filters, a missing field comes before null here. */
function compareExpressions(a: unknown, b: unknown): number {
  if (a === undefined || b === undefined) return Number(b === undefined) - Number(a === undefined);
  return compare(a, b);
}

function compileOperand(operand: unknown): Operand {
  if (typeof operand === 'number') return () => operand;
  if (isPlainObject(operand) && Array.isArray(operand['$add']) && Object.keys(operand).length === 1)
    return compileSum(operand['$add']);
  return compileField(operand);
}

function compileField(operand: unknown): Operand {
  if (typeof operand !== 'string' || !operand.startsWith('$'))
    throw new StorageError('invalid', '$expr: an operand is "$path", a number or { $add: [...] } of these');
  const path = parsePath(checkPath('$expr', operand.slice(1)));
  return (document) => fieldAt(document, path, 0);
}

/** An array on the way becomes the array of what its objects hold, as in MongoDB's expressions. */
function fieldAt(value: unknown, path: Path, at: number): unknown {
  if (at === path.length) return value;
  if (Array.isArray(value)) {
    return value
      .filter(isPlainObject)
      .map((item) => fieldAt(item, path, at))
      .filter((item) => item !== undefined);
  }
  return isPlainObject(value) && Object.hasOwn(value, path[at]!)
    ? fieldAt(value[path[at]!], path, at + 1)
    : undefined;
}

/** MongoDB adds the numbers first and behind the fields, which shows in the last digit. */
function compileSum(terms: readonly unknown[]): Operand {
  const numbers = terms.filter((term) => typeof term === 'number');
  const fields = terms.filter((term) => typeof term !== 'number').map(compileField);
  const constant = new DoubleDouble();
  for (const number of numbers) constant.add(number);
  const whole = numbers.every(isInt32);
  return (document) => sum(document, fields, constant.toNumber(), whole);
}

/** From the first to the last: a null ends it before what stands behind it is looked at. */
function sum(
  document: Values,
  fields: readonly Operand[],
  constant: number,
  constantIsWhole: boolean,
): unknown {
  const total = new DoubleDouble();
  let type: 'integer' | 'double' | 'date' = constantIsWhole ? 'integer' : 'double';
  for (const field of fields) {
    const term = field(document);
    if (term === undefined || term === null) return null;
    if (typeof term === 'bigint') total.addInteger(term);
    else if (typeof term === 'number') {
      total.add(term);
      if (type === 'integer' && !isInt32(term)) type = 'double';
    } else if (term instanceof Date && type !== 'date') {
      total.add(term.getTime());
      type = 'date';
    } else {
      throw new StorageError('invalid', '$expr: $add takes numbers');
    }
  }
  total.add(constant);
  switch (type) {
    case 'integer':
      return integer(total);
    case 'double':
      return total.toNumber();
    case 'date':
      return date(total.toNumber());
  }
}

/** Other numbers are doubles, and so is what is added to them. */
function isInt32(number: number): boolean {
  return (number | 0) === number;
}

/** Beyond 64 bits it becomes a double. */
function integer(total: DoubleDouble): number | bigint {
  const rounded = total.toNumber();
  if (Number.isSafeInteger(rounded)) return rounded;
  const exact = total.toBigInt();
  return BigInt.asIntN(64, exact) === exact ? exact : rounded;
}

/** To the nearest millisecond, to an even one from between two. */
function date(milliseconds: number): Date {
  const floor = Math.floor(milliseconds);
  const between = milliseconds - floor;
  const up = between > 0.5 || (between === 0.5 && floor % 2 !== 0);
  const sum = new Date(up ? floor + 1 : floor);
  if (Number.isNaN(sum.getTime())) throw new StorageError('invalid', '$expr: $add leaves the range of dates');
  return sum;
}
