/** `$expr`: fields, and sums of fields and numbers, compared with each other in the order of all types. */
import { StorageError } from '../../../../sdk/storage.js';
import { isPlainObject, type Values } from '../../bson/value.js';
import { compare } from '../../order.js';
import { parsePath, type Path } from '../values/path.js';

type Operand = (document: Values) => unknown;

const COMPARISONS: Readonly<Record<string, (order: number) => boolean>> = {
  $eq: (order) => order === 0,
  $ne: (order) => order !== 0,
  $gt: (order) => order > 0,
  $gte: (order) => order >= 0,
  $lt: (order) => order < 0,
  $lte: (order) => order <= 0,
};

export function compileComparison(expression: unknown): (document: Values) => boolean {
  if (!isPlainObject(expression)) throw new StorageError('invalid', '$expr takes a comparison of fields');
  const parts = Object.entries(expression).map(([operator, operands]) => {
    const holds = COMPARISONS[operator];
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
  if (typeof operand === 'string' && operand.startsWith('$')) {
    const path = parsePath(operand.slice(1));
    return (document) => fieldAt(document, path, 0);
  }
  if (isPlainObject(operand) && Array.isArray(operand['$add']) && Object.keys(operand).length === 1) {
    const addends = operand['$add'].map(compileOperand);
    return (document) => sum(addends.map((addend) => addend(document)));
  }
  throw new StorageError('invalid', '$expr: an operand is "$path", a number or { $add: [...] }');
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

/** From the first to the last: a null ends it before what stands behind it is looked at. */
function sum(addends: readonly unknown[]): unknown {
  let total: number | bigint = 0;
  let date = false;
  for (const addend of addends) {
    if (addend === undefined || addend === null) return null;
    if (addend instanceof Date && !date) {
      date = true;
      total = Number(total) + addend.getTime();
    } else if (typeof addend === 'number' || typeof addend === 'bigint') {
      total = add(total, addend);
    } else {
      throw new StorageError('invalid', '$expr: $add takes numbers');
    }
  }
  return date ? new Date(Number(total)) : total;
}

/** Whole numbers stay exact when one of them is a bigint; a fraction makes a double. */
function add(a: number | bigint, b: number | bigint): number | bigint {
  if (typeof a === 'number' && typeof b === 'number') return a + b;
  if ((typeof a === 'bigint' || Number.isInteger(a)) && (typeof b === 'bigint' || Number.isInteger(b)))
    return BigInt(a) + BigInt(b);
  return Number(a) + Number(b);
}
