/** Compiles filters to functions, with MongoDB's semantics: an array matches itself or by an item, types never mix. */
import { StorageError } from 'plugboard/sdk';
import { checkValue } from '../../bson/encode.js';
import { isPlainObject, type Values } from '../../bson/value.js';
import { compare, equal, Rank, rank } from '../../order.js';
import { parsePath, someAt, type LeafTest } from '../values/path.js';

export type Predicate = (document: Values) => boolean;
type Test = LeafTest;

/** Throws `invalid` for an unknown operator or a wrong operand. */
export function compile(filter: object): Predicate {
  return all(Object.entries(filter).map(([key, value]: [string, unknown]) => compileEntry(key, value)));
}

/** True for operators such as `{ $gt: 1 }`, false for a literal value. Mixed keys are `invalid`. */
export function isCondition(value: unknown): value is Values {
  if (!isPlainObject(value)) return false;
  const keys = Object.keys(value);
  const operators = keys.filter((key) => key.startsWith('$')).length;
  if (operators === 0) return false;
  if (operators < keys.length)
    throw new StorageError('invalid', `operators and fields are mixed in { ${keys.join(', ')} }`);
  return true;
}

function compileEntry(key: string, value: unknown): Predicate {
  switch (key) {
    case '$and':
      return all(branches(key, value));
    case '$or':
      return any(branches(key, value));
    case '$nor':
      return not(any(branches(key, value)));
  }
  if (key.startsWith('$')) throw new StorageError('invalid', `unknown operator "${key}"`);
  return compilePath(key, value);
}

function branches(operator: string, value: unknown): Predicate[] {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isPlainObject))
    throw new StorageError('invalid', `${operator} takes a list of at least one filter`);
  return value.map(compile);
}

function compilePath(key: string, value: unknown): Predicate {
  if (key.includes('\0'))
    throw new StorageError(
      'invalid',
      `${JSON.stringify(key)}: a field name cannot contain the character U+0000`,
    );
  const condition = compileCondition(key, value);
  // Only own members count, not inherited names such as `constructor`.
  if (!key.includes('.') && !(key in Object.prototype)) {
    const { ofLeaf } = condition;
    return (document) => ofLeaf(document[key]);
  }
  const path = parsePath(key);
  return (document) => condition.at((test) => someAt(document, path, 0, test));
}

/** Whether a test holds for a value at the path of the condition. */
type Probe = (test: Test) => boolean;

interface Condition {
  at(probe: Probe): boolean;
  /** Fast path for a single value: `at` would create a closure per document. */
  readonly ofLeaf: (leaf: unknown) => boolean;
}

/** `name`: of the path or the operator, for errors. */
function compileCondition(name: string, value: unknown): Condition {
  if (value === undefined) throw new StorageError('invalid', `${name}: undefined cannot be matched`);
  if (!isCondition(value)) return probing(equalTo(name, value));
  const parts = Object.entries(value).map(([operator, operand]) => compileOperator(operator, operand));
  if (parts.length === 1) return parts[0]!;
  return {
    at: (probe) => parts.every((part) => part.at(probe)),
    ofLeaf: (leaf) => parts.every((part) => part.ofLeaf(leaf)),
  };
}

function probing(test: Test): Condition {
  return { at: (probe) => probe(test), ofLeaf: (leaf) => test(leaf) };
}

function compileOperator(operator: string, operand: unknown): Condition {
  if (operand === undefined) throw new StorageError('invalid', `${operator}: undefined cannot be matched`);
  switch (operator) {
    case '$eq':
      return probing(equalTo(operator, operand));
    case '$ne':
      return negated(probing(equalTo(operator, operand)));
    case '$gt':
      return probing(ordered(operator, operand, (order) => order > 0));
    case '$gte':
      return probing(ordered(operator, operand, (order) => order >= 0));
    case '$lt':
      return probing(ordered(operator, operand, (order) => order < 0));
    case '$lte':
      return probing(ordered(operator, operand, (order) => order <= 0));
    case '$in':
      return probing(oneOf(operator, operand));
    case '$nin':
      return negated(probing(oneOf(operator, operand)));
    case '$exists': {
      const exists = probing((leaf) => leaf !== undefined);
      if (typeof operand !== 'boolean') throw new StorageError('invalid', '$exists takes true or false');
      return operand ? exists : negated(exists);
    }
    case '$regex':
      if (!(operand instanceof RegExp))
        throw new StorageError('invalid', '$regex takes a regular expression');
      return probing(eachItem(matches(operand)));
    case '$not':
      if (!isCondition(operand)) throw new StorageError('invalid', '$not takes a condition');
      return negated(compileCondition(operator, operand));
    default:
      throw new StorageError('invalid', `unknown operator "${operator}"`);
  }
}

function negated(condition: Condition): Condition {
  const { ofLeaf } = condition;
  return { at: (probe) => !condition.at(probe), ofLeaf: (leaf) => !ofLeaf(leaf) };
}

/** Holds for the value, or for one item of an array. */
function eachItem(test: Test): Test {
  return (leaf, whole) =>
    test(leaf) || (whole !== true && Array.isArray(leaf) && leaf.some((item) => test(item)));
}

function equalTo(name: string, operand: unknown): Test {
  checkOperand(name, operand);
  if (typeof operand === 'string' || typeof operand === 'boolean')
    return (leaf, whole) =>
      leaf === operand || (whole !== true && Array.isArray(leaf) && leaf.includes(operand));
  const test = eachItem((leaf) => equal(leaf, operand));
  if (typeof operand !== 'number' || Number.isNaN(operand)) return test;
  return (leaf, whole) => (typeof leaf === 'number' ? leaf === operand : test(leaf, whole));
}

/** Among numbers, NaN compares only with itself. */
function ordered(operator: string, operand: unknown, holds: (order: number) => boolean): Test {
  checkOperand(operator, operand);
  if (Number.isNaN(operand)) return holds(0) ? equalTo(operator, operand) : () => false;
  const type = rank(operand);
  if (type === Rank.number) {
    const test = eachItem(
      (leaf) => rank(leaf) === type && !Number.isNaN(leaf) && holds(compare(leaf, operand)),
    );
    if (typeof operand !== 'number') return test;
    // Inline the common case; `compare` handles every type.
    const [below, same, above] = [holds(-1), holds(0), holds(1)];
    return (leaf, whole) => {
      if (typeof leaf !== 'number') return test(leaf, whole);
      return leaf < operand ? below : leaf > operand ? above : leaf === operand && same;
    };
  }
  return eachItem((leaf) => rank(leaf) === type && holds(compare(leaf, operand)));
}

/** Uses sets and binary search: a list of 10,000 values costs a document only a few comparisons. */
function oneOf(operator: string, given: unknown): Test {
  const simple = new Set<string | number | bigint>();
  const others: unknown[] = [];
  for (const value of values(operator, given)) {
    if (isSimple(value)) simple.add(simpleKey(value));
    else others.push(value);
  }
  others.sort(compare);
  const test = eachItem((leaf) => (isSimple(leaf) ? simple.has(simpleKey(leaf)) : isAmong(others, leaf)));
  return (leaf, whole) =>
    typeof leaf === 'number' || typeof leaf === 'string' ? simple.has(leaf) : test(leaf, whole);
}

function isSimple(value: unknown): value is string | number | bigint {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint';
}

/** The same for a number and the bigint that equals it. */
function simpleKey(value: string | number | bigint): string | number | bigint {
  if (typeof value !== 'bigint') return value;
  const number = Number(value);
  return BigInt(number) === value ? number : value;
}

function isAmong(sorted: readonly unknown[], value: unknown): boolean {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const order = compare(sorted[middle], value);
    if (order === 0) return true;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return false;
}

/** Any storable value can be matched. */
function checkOperand(name: string, operand: unknown): void {
  if (operand instanceof RegExp)
    throw new StorageError('invalid', `${name}: a regular expression goes into $regex`);
  checkValue(name, operand);
}

function matches(given: RegExp): Test {
  // A global expression keeps a `lastIndex`.
  const flags = given.flags.replace(/[dg]/g, '');
  if (/[^ims]/.test(flags))
    throw new StorageError('invalid', `$regex takes the flags i, m and s, not "${given.flags}"`);
  const expression = byCodePoint(given.source, flags);
  return (leaf) => typeof leaf === 'string' && expression.test(leaf);
}

/** Reads the source as PCRE does, with the flag `u` if possible; without it `.` is half a character above U+FFFF. */
function byCodePoint(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, `${flags}u`);
  } catch {
    return new RegExp(source, flags);
  }
}

/** The name that distinguishes an object made of operators from a value. */
function firstKey(value: unknown): string | undefined {
  return isPlainObject(value) ? Object.keys(value)[0] : undefined;
}

/** A list of what can be looked for. */
function values(operator: string, operand: unknown): readonly unknown[] {
  const given = list(operator, operand);
  for (const value of given) {
    if (typeof value === 'string' || typeof value === 'number') continue;
    if (firstKey(value)?.startsWith('$'))
      throw new StorageError('invalid', `${operator} takes values, not conditions`);
    checkOperand(operator, value);
  }
  return given;
}

function list(operator: string, operand: unknown): readonly unknown[] {
  if (!Array.isArray(operand)) throw new StorageError('invalid', `${operator} takes a list`);
  if (operand.includes(undefined))
    throw new StorageError('invalid', `${operator}: undefined cannot be matched`);
  return operand;
}

function all(parts: readonly Predicate[]): Predicate {
  if (parts.length === 1) return parts[0]!;
  if (parts.length === 2) {
    const [first, second] = parts as [Predicate, Predicate];
    return (document) => first(document) && second(document);
  }
  return (document) => parts.every((part) => part(document));
}

function any(parts: readonly Predicate[]): Predicate {
  return (document) => parts.some((part) => part(document));
}

function not(predicate: Predicate): Predicate {
  return (document) => !predicate(document);
}
