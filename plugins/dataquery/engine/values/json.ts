/** json, jsonb, and values of unknown types. Stored as JSON text. */
import { errors } from '../base/errors.js';
import { canonicalJson, compareJsonNumbers, jsonText, NumberLiteral, parseJson } from './json-text.js';
import type { Stored, StoredJson } from './stored.js';
import { compareText } from '../base/text-order.js';
import type { ValueType } from './type.js';

export const json = jsonType('json', jsonText);
export const jsonb = jsonType('jsonb', canonicalJson);

function jsonType(name: 'json' | 'jsonb', write: (value: unknown) => string): ValueType {
  const parse = (text: string): Stored => {
    let value: unknown;
    try {
      value = parseJson(text);
    } catch (cause) {
      throw errors['22P02']({ message: 'invalid input syntax for type json', details: reason(cause), cause });
    }
    return write(value);
  };
  return {
    name,
    family: 'json',
    element: undefined,
    ordered: false,
    // json has no equality operator in PostgreSQL: two texts of one value differ.
    equality: name === 'jsonb',
    parse,
    // A JSON null in a body is SQL's null, as PostgREST has it.
    fromJson: (value) => (value === null || value === undefined ? null : write(value)),
    toJson: String,
    toText: String,
    compare: (a, b) => (a === b ? 0 : compareDocuments(comparable(a as string), comparable(b as string))),
  };
}

/** The document with its numbers as doubles if none has more digits than a double keeps: a tenth of the time. */
function comparable(text: string): unknown {
  return /[\d.]{16}|\d[eE]/.test(text) ? parseJson(text) : JSON.parse(text);
}

/** An unknown type: values pass unchanged and compare as texts. */
export function unknownType(name: string): ValueType {
  return {
    name,
    family: 'unknown',
    element: undefined,
    ordered: false,
    equality: false,
    parse: (text) => text,
    fromJson: (value) => {
      if (value === null || value === undefined) return null;
      if (typeof value === 'object') return { json: jsonText(value) };
      return value as string | number | boolean;
    },
    toJson: (value) => (isJson(value) ? value.json : JSON.stringify(value)),
    toText: unknownText,
    compare: (a, b) => compareText(unknownText(a), unknownText(b)),
  };
}

function unknownText(value: Stored): string {
  return isJson(value) ? value.json : String(value);
}

function isJson(value: Stored): value is StoredJson {
  return typeof value === 'object' && 'json' in value;
}

function reason(cause: unknown): string {
  return cause instanceof Error ? cause.message : 'It is not JSON.';
}

/** In PostgreSQL an empty top-level array comes before everything else, for historical reasons. */
function compareDocuments(a: unknown, b: unknown): number {
  const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0;
  return Number(isEmpty(b)) - Number(isEmpty(a)) || compareJson(a, b);
}

/** PostgreSQL's order of jsonb: object > array > boolean > number > string > null; by size first, then by content. */
export function compareJson(a: unknown, b: unknown): number {
  const byKind = rank(a) - rank(b);
  if (byKind !== 0) return byKind;
  if (Array.isArray(a) && Array.isArray(b)) return a.length - b.length || compareLists(a, b);
  if (isObject(a) && isObject(b)) {
    const left = Object.keys(a).sort(compareText);
    const right = Object.keys(b).sort(compareText);
    return (
      left.length - right.length ||
      compareLists(
        left.flatMap((key) => [key, a[key]]),
        right.flatMap((key) => [key, b[key]]),
      )
    );
  }
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b);
  return isNumber(a) && isNumber(b) ? compareJsonNumbers(a, b) : Number(a) - Number(b);
}

function compareLists(a: readonly unknown[], b: readonly unknown[]): number {
  for (let at = 0; at < a.length; at += 1) {
    const [left, right] = [a[at], b[at]];
    const order = left === right ? 0 : compareJson(left, right);
    if (order !== 0) return order;
  }
  return 0;
}

function rank(value: unknown): number {
  if (value === null || value === undefined) return 0;
  if (typeof value === 'string') return 1;
  if (isNumber(value)) return 2;
  if (typeof value === 'boolean') return 3;
  return Array.isArray(value) ? 4 : 5;
}

function isNumber(value: unknown): value is number | NumberLiteral {
  return typeof value === 'number' || value instanceof NumberLiteral;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
