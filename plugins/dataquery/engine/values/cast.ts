/** Casts between types: `column::type` in a request. */
import { errors } from '../base/errors.js';
import { parseJson } from './json-text.js';
import { decimalText, encodeDecimal, readDecimal, roundDecimal } from './decimal.js';
import type { Stored } from './stored.js';
import type { ValueType } from './type.js';

/** Explicit casts, in addition to a type to itself and everything to and from text. */
const NUMBERS = new Set(['integer', 'numeric', 'float', 'money']);
const MOMENTS = new Set(['date', 'timestamp', 'time']);

/** Whether PostgreSQL has a cast between the types; otherwise the request is refused (42846). */
export function castable(from: ValueType, to: ValueType): boolean {
  if (from.family === to.family || isText(from) || isText(to)) return true;
  if (from.family === 'unknown' || to.family === 'unknown') return true;
  if (NUMBERS.has(from.family) && NUMBERS.has(to.family)) return true;
  if (MOMENTS.has(from.family) && MOMENTS.has(to.family)) return true;
  const pair = `${from.family} ${to.family}`;
  return ['integer boolean', 'boolean integer', 'integer bit', 'bit integer'].includes(pair)
    ? true
    : from.family === 'json' && (NUMBERS.has(to.family) || to.family === 'boolean');
}

export function castValue(value: Stored, from: ValueType, to: ValueType): Stored {
  if (from === to) return value;
  if (!castable(from, to)) throw errors['42846']({ values: { from: from.name, to: to.name } });
  if (to.family === 'integer' && (from.family === 'numeric' || from.family === 'float')) {
    return to.parse(integerText(from, value));
  }
  if (from.family === 'boolean' && to.family === 'integer') return value === true ? 1 : 0;
  if (from.family === 'integer' && to.family === 'boolean') return BigInt(value as number | bigint) !== 0n;
  if (to.family === 'time' && from.family === 'timestamp') return to.parse(from.toText(value).slice(11));
  if (from.family === 'json' && to.family !== 'json') return fromJsonValue(value, from, to);
  if (from.family === 'array' && to.family === 'array') return castItems(value, from, to);
  const text = from.toText(value);
  const limit = /^character varying\((\d+)\)$/.exec(to.name)?.[1];
  return to.parse(limit === undefined ? text : Array.from(text).slice(0, Number(limit)).join(''));
}

/** numeric rounds half away from zero, floats half to even. */
function integerText(from: ValueType, value: Stored): string {
  if (from.family === 'float' && typeof value === 'number' && Number.isFinite(value)) {
    const floor = Math.floor(value);
    const odd = Math.abs(floor % 2) === 1;
    const rounded = value - floor === 0.5 ? (odd ? floor + 1 : floor) : Math.round(value);
    return BigInt(rounded).toString();
  }
  const decimal = readDecimal(from.toText(value));
  if (decimal === undefined) return from.toText(value);
  return decimalText(encodeDecimal(roundDecimal(decimal, 0)) ?? '2');
}

function fromJsonValue(value: Stored, from: ValueType, to: ValueType): Stored {
  const parsed = parseJson(value as string);
  if (isText(to)) return to.parse(from.toText(value));
  if (parsed === null || typeof parsed === 'object' || typeof parsed === 'string') {
    const kind = parsed === null ? 'null' : Array.isArray(parsed) ? 'array' : typeof parsed;
    throw errors['22023']({ message: `cannot cast jsonb ${kind} to type ${to.name}` });
  }
  const number = readDecimal(String(parsed));
  if (to.family === 'integer' && number !== undefined) {
    return to.parse(decimalText(encodeDecimal(roundDecimal(number, 0)) ?? '2'));
  }
  return to.parse(String(parsed));
}

function castItems(value: Stored, from: ValueType, to: ValueType): Stored {
  const [source, target] = [from.element, to.element];
  if (source === undefined || target === undefined || !Array.isArray(value))
    return to.parse(from.toText(value));
  return value.map((item: Stored | null) =>
    item === null ? null : Array.isArray(item) ? castItems(item, from, to) : castValue(item, source, target),
  );
}

function isText(type: ValueType): boolean {
  return type.family === 'text';
}
