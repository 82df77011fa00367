/**
 * Token claims in conditions: as operands of columns, and as values themselves. No claim becomes part of a parsed text.
 */
import type { ClaimPath } from '../catalog/model.js';
import { errors } from '../base/errors.js';
import type { Condition } from '../plan/level.js';
import { operationOn } from '../plan/operation.js';
import { INSERTION, type Value } from '../plan/value.js';
import type { Operation } from '../query/query.js';
import { arrayType } from '../values/array.js';
import type { ValueType } from '../values/type.js';
import type { Stored } from '../values/stored.js';
import { text } from '../values/text.js';
import { boolean } from '../values/boolean.js';
import { numeric } from '../values/types.js';

/** The value of a claim; undefined or null without one. All claims that policies use are read here. */
export type Claims = (path: ClaimPath) => unknown;

/** Unknown for every row. */
export const UNKNOWN: Condition = { kind: 'compare', value: INSERTION, op: 'eq', operand: null };

const WHOLE: ReadonlySet<string> = new Set(['eq', 'neq', 'gt', 'gte', 'lt', 'lte']);
const CONTAINMENT: ReadonlySet<string> = new Set(['cs', 'cd', 'ov']);

/** `paths`: the claim that replaces each operand; undefined if the operand is a literal. */
export function claimOperand(
  claims: Claims,
  value: Value,
  operation: Extract<Operation, { kind: 'in' | 'compare' | 'isdistinct' | 'search' }>,
  paths: readonly (ClaimPath | undefined)[],
): Condition {
  const claimed = (path: ClaimPath | undefined): unknown => (path && claims(path)) ?? null;
  if (operation.kind === 'in') {
    const items = operation.values.flatMap((literal, at) =>
      paths[at] === undefined ? [literal] : textsOf(claimed(paths[at])),
    );
    const known = operationOn(value, { kind: 'in', values: items.filter((item) => item !== null) });
    return items.includes(null) ? { kind: 'or', conditions: [known, UNKNOWN] } : known;
  }
  const claim = claimed(paths[0]);
  if (operation.kind === 'isdistinct') {
    if (claim === null) return { kind: 'not', condition: { kind: 'null', value } };
    return operationOn(value, { ...operation, value: textOf(claim) });
  }
  if (operation.kind === 'compare' && operation.quantifier === undefined) {
    if (WHOLE.has(operation.op)) {
      // The operator is checked even without a value.
      if (claim === null) return comparable(value, operation);
      return operationOn(value, { ...operation, value: textOf(claim) });
    }
    if (CONTAINMENT.has(operation.op)) {
      const { type } = value;
      if (type.family !== 'array' && type.name !== 'jsonb')
        throw errors['42601']({ message: `a claim is not compared with ${type.name} by "${operation.op}"` });
      if (claim === null || (type.family === 'array' && !Array.isArray(claim))) return UNKNOWN;
      const literal = type.family === 'array' ? type.toText(stored(type, claim)) : JSON.stringify(claim);
      return operationOn(value, { ...operation, value: literal });
    }
  }
  throw errors['42601']({
    message: 'a claim is an operand of eq, neq, gt, gte, lt, lte, isdistinct, in, cs, cd and ov',
  });
}

function comparable(value: Value, { op }: Extract<Operation, { kind: 'compare' }>): Condition {
  if (value.type.name === 'json')
    throw errors['42883']({ values: { left: 'json', operator: op, right: 'unknown' } });
  return UNKNOWN;
}

/** Texts of the items, as `->>` gives them; a claim that is not a list is one item. */
function textsOf(claim: unknown): (string | null)[] {
  const items: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  return items.map((item) => (item === null ? null : textOf(item)));
}

function textOf(claim: unknown): string {
  return typeof claim === 'string' ? claim : JSON.stringify(claim);
}

function stored(type: ValueType, items: unknown): Stored {
  const texts = textsOf(items);
  return texts.map((item) => (item === null ? null : type.element!.parse(item))) as unknown as Stored;
}

/** A claim as the left side of an operation: text, or a boolean, number or list if the operator needs one. */
export function claimValue(claim: unknown, operation: Operation): Value {
  const is = (type: ValueType, value: Stored | null): Value => ({
    type,
    field: '_id',
    plain: false,
    nullable: true,
    computed: undefined,
    read: () => value,
  });
  if (operation.kind === 'is' && operation.value !== 'null' && operation.value !== 'not_null')
    return is(boolean, typeof claim === 'boolean' ? claim : null);
  if (operation.kind === 'compare' && CONTAINMENT.has(operation.op)) {
    const list = arrayType(text);
    return is(list, Array.isArray(claim) ? stored(list, claim) : null);
  }
  if (claim === undefined || claim === null) return is(text, null);
  const isOrder = operation.kind === 'compare' && !['eq', 'neq'].includes(operation.op);
  if (typeof claim === 'number' && isOrder && WHOLE.has(operation.op))
    return is(numeric, numeric.parse(String(claim)));
  return is(text, textOf(claim));
}
