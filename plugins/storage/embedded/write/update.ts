/** Update operators. A wrong type is `invalid`; paths are applied in order, as in MongoDB since 5.0. */
import { StorageError } from 'plugboard/sdk';
import { copyValue } from '../../bson/copy.js';
import { checkValue } from '../../bson/encode.js';
import { setMember } from '../../bson/shape.js';
import { isPlainObject, type Values } from '../../bson/value.js';
import { compare } from '../../order.js';
import { arrayIndex, checkPath, parsePath, type Path } from '../values/path.js';

/**
 * Changes `document` in place. `inserting`: applies `$setOnInsert`. Returns whether the document counts as modified even
 * if it is unchanged, as after a `$push` whose items `$slice` drops again.
 */
export type Updater = (document: Values, inserting: boolean) => boolean;

interface Step {
  readonly path: Path;
  readonly onInsertOnly: boolean;
  readonly alwaysModifies: boolean;
  readonly apply: (document: Values) => void;
}

type Operator = (path: Path, operand: unknown) => (document: Values) => void;

const OPERATORS: ReadonlyMap<string, Operator> = new Map(
  Object.entries<Operator>({
    $set: (path, operand) => (document) => change(document, path, () => operand),
    $setOnInsert: (path, operand) => (document) => change(document, path, () => operand),
    $unset: (path) => (document) => remove(document, path),
    $inc: increment,
    $min: (path, operand) => (document) =>
      change(document, path, (old) => (old === undefined || compare(operand, old) < 0 ? operand : old)),
    $max: (path, operand) => (document) =>
      change(document, path, (old) => (old === undefined || compare(operand, old) > 0 ? operand : old)),
    $push: push,
  }),
);

export function compileUpdate(update: object): Updater {
  if (!isPlainObject(update)) throw new StorageError('invalid', 'an update is an object of operators');
  const steps = Object.entries(update).flatMap(([operator, operands]: [string, unknown]) =>
    compileOperator(operator, operands),
  );
  if (Object.keys(update).length === 0) throw new StorageError('invalid', 'an update needs an operator');
  steps.sort((a, b) => comparePaths(a.path, b.path));
  refuseConflicts(steps);
  const alwaysModifies = steps.some((step) => step.alwaysModifies);
  return (document, inserting) => {
    for (const step of steps) if (inserting || !step.onInsertOnly) step.apply(document);
    return alwaysModifies;
  };
}

function compileOperator(operator: string, operands: unknown): Step[] {
  const compile = OPERATORS.get(operator);
  if (compile === undefined)
    throw new StorageError(
      'invalid',
      operator.startsWith('$')
        ? `unknown operator "${operator}"`
        : `an update takes operators, not the field "${operator}"`,
    );
  if (!isPlainObject(operands)) throw new StorageError('invalid', `${operator} takes an object of paths`);
  return Object.entries(operands)
    .filter(([, operand]) => operand !== undefined)
    .map(([key, given]) => {
      const path = parsePath(checkPath(operator, key));
      checkValue(path.at(-1)!, given);
      // Copied: the caller may change its object before the update runs.
      const operand = copyValue(given);
      return {
        path,
        onInsertOnly: operator === '$setOnInsert',
        alwaysModifies: operator === '$push' && modifiers(operand).items.length > 0,
        apply: compile(path, operand),
      };
    });
}

export function comparePaths(a: Path, b: Path): number {
  for (let at = 0; at < Math.min(a.length, b.length); at++) {
    if (a[at] === b[at]) continue;
    const [indexA, indexB] = [arrayIndex(a[at]!), arrayIndex(b[at]!)];
    if (indexA !== undefined && indexB !== undefined) return indexA - indexB;
    return a[at]! < b[at]! ? -1 : 1;
  }
  return a.length - b.length;
}

function refuseConflicts(steps: readonly Step[]): void {
  const repeated = repeatedPath(steps);
  if (repeated !== undefined)
    throw new StorageError('invalid', `two operators change "${repeated.join('.')}"`);
}

/** The first of the sorted paths that is repeated or is a prefix of another one. */
export function repeatedPath(ordered: readonly { readonly path: Path }[]): Path | undefined {
  for (let at = 1; at < ordered.length; at++) {
    const [before, here] = [ordered[at - 1]!.path, ordered[at]!.path];
    if (before.every((part, index) => part === here[index])) return before;
  }
  return undefined;
}

/** Sets the path to `next` of the old value (undefined if missing), creating objects on the way. */
export function change(document: Values, path: Path, next: (old: unknown) => unknown): void {
  let holder: Values | unknown[] = document;
  for (const [at, part] of path.slice(0, -1).entries()) {
    let inner = member(holder, part, path);
    if (inner === undefined) put(holder, part, (inner = {}));
    if (!isPlainObject(inner) && !Array.isArray(inner))
      throw new StorageError(
        'invalid',
        `cannot create "${path.slice(at + 1).join('.')}" in "${path.slice(0, at + 1).join('.')}", which is not an object`,
      );
    holder = inner;
  }
  const last = path.at(-1)!;
  const old = member(holder, last, path);
  const value = next(old);
  // Zero replaces minus zero.
  if (!Object.is(value, old) && value !== undefined) put(holder, last, value);
}

function member(holder: Values | unknown[], part: string, path: Path): unknown {
  if (!Array.isArray(holder)) return Object.hasOwn(holder, part) ? holder[part] : undefined;
  const index = arrayIndex(part);
  if (index === undefined)
    throw new StorageError(
      'invalid',
      `"${path.join('.')}": "${part}" is not the number of an item of an array`,
    );
  return holder[index];
}

/** How far beyond its end an update may extend an array. */
const MAX_GAP = 1_500_000;

function put(holder: Values | unknown[], part: string, value: unknown): void {
  if (Array.isArray(holder)) {
    const index = Number(part);
    if (index > holder.length + MAX_GAP)
      throw new StorageError('invalid', `item ${part} is too far beyond the end of the array`);
    while (holder.length < index) holder.push(null);
    holder[index] = value;
  } else {
    setMember(holder, part, value);
  }
}

function remove(document: Values, path: Path): void {
  let holder: unknown = document;
  for (const part of path.slice(0, -1)) {
    if (Array.isArray(holder))
      holder = arrayIndex(part) === undefined ? undefined : (holder[Number(part)] as unknown);
    else holder = isPlainObject(holder) && Object.hasOwn(holder, part) ? holder[part] : undefined;
  }
  const last = path.at(-1)!;
  if (Array.isArray(holder)) {
    const index = arrayIndex(last);
    if (index !== undefined && index < holder.length) holder[index] = null;
  } else if (isPlainObject(holder)) {
    delete holder[last];
  }
}

function increment(path: Path, operand: unknown): (document: Values) => void {
  if (typeof operand !== 'number')
    throw new StorageError('invalid', `$inc: "${path.join('.')}" takes a number`);
  return (document) =>
    change(document, path, (old) => {
      if (old === undefined) return operand;
      if (typeof old !== 'number' && typeof old !== 'bigint')
        throw new StorageError('invalid', `$inc: "${path.join('.')}" is not a number`);
      const sum = Number(old) + operand;
      // An unchanged number is not written, so minus zero stays. A bigint becomes a number.
      return sum === old ? old : sum;
    });
}

const PUSH_MODIFIERS = ['$each', '$slice'];

function push(path: Path, operand: unknown): (document: Values) => void {
  const { items, slice } = modifiers(operand);
  return (document) =>
    change(document, path, (old) => {
      if (old !== undefined && !Array.isArray(old))
        throw new StorageError('invalid', `$push: "${path.join('.')}" is not an array`);
      const array = [...((old ?? []) as unknown[]), ...items];
      if (slice === undefined) return array;
      return slice >= 0 ? array.slice(0, slice) : array.slice(slice);
    });
}

function modifiers(operand: unknown): {
  readonly items: readonly unknown[];
  readonly slice: number | undefined;
} {
  if (!isPlainObject(operand) || !('$each' in operand)) {
    const unknown = isPlainObject(operand) && Object.keys(operand).find((key) => key.startsWith('$'));
    if (unknown) throw new StorageError('invalid', `$push: ${unknown} needs $each`);
    return { items: [operand], slice: undefined };
  }
  const wrong = Object.keys(operand).find((key) => !PUSH_MODIFIERS.includes(key));
  if (wrong !== undefined) throw new StorageError('invalid', `$push: unknown modifier "${wrong}"`);
  const { $each: items, $slice: slice } = operand;
  if (!Array.isArray(items)) throw new StorageError('invalid', '$push: $each takes a list');
  if (slice !== undefined && !Number.isInteger(slice))
    throw new StorageError('invalid', '$push: $slice takes an integer');
  return { items: items as readonly unknown[], slice: slice as number | undefined };
}
