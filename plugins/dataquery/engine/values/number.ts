/** smallint, integer, bigint, oid, money, numeric, real and double precision. */
import { errors } from '../base/errors.js';
import { NumberLiteral, jsonText } from './json-text.js';
import {
  decimalText,
  decodeDecimal,
  encodeDecimal,
  encodeSpecial,
  readDecimal,
  roundDecimal,
} from './decimal.js';
import type { Stored } from './stored.js';
import type { ValueType } from './type.js';

const INTEGER = /^[+-]?\d+$/;
/** More digits are out of range for every integer, and not worth a bigint. */
const INTEGER_DIGITS = 20;
/**
 * Digits before and after the point. PostgreSQL has up to 131,072 before it, whose sums take tens of milliseconds each.
 */
const NUMERIC_WHOLE = 16_384;
const NUMERIC_SCALE = 16_383;

/** An integer of 16, 32 or 64 bits; `quoted` prints it as a JSON string (oid). */
export function integerType(name: string, min: bigint, max: bigint, quoted = false): ValueType {
  const parse = (text: string): Stored => {
    const literal = text.trim();
    if (!INTEGER.test(literal)) throw errors['22P02']({ values: { type: name, value: text } });
    const short = Number(literal);
    const outOfRange = (): Error => errors['22003']({ values: { value: literal, type: name } });
    if (Math.abs(short) >= 10 ** INTEGER_DIGITS) throw outOfRange();
    const value = Number.isSafeInteger(short) ? short : BigInt(literal.replace(/^\+/, ''));
    if (value < min || value > max) throw outOfRange();
    return value === 0 ? 0 : value;
  };
  return {
    name,
    family: 'integer',
    element: undefined,
    ordered: true,
    equality: true,
    parse,
    fromJson: (value) => scalarFromJson(value, parse),
    toJson: (value) => (quoted ? `"${String(value)}"` : String(value)),
    toText: String,
    compare: compareNumbers,
  };
}

/** Cents; printed as `$1,234.50`. */
export const money: ValueType = {
  name: 'money',
  family: 'money',
  element: undefined,
  ordered: true,
  equality: true,
  parse: parseMoney,
  fromJson: (value) => scalarFromJson(value, parseMoney),
  toJson: (value) => `"${moneyText(value)}"`,
  toText: moneyText,
  compare: compareNumbers,
};

const MONEY = /^(-)? ?(\()?(-)?\$? ?(-)?([\d,]*(?:\.\d*)?)\)?$/;
const LONGEST_MONEY = 1_000;

function parseMoney(text: string): Stored {
  const match = text.length > LONGEST_MONEY ? null : MONEY.exec(text.trim());
  const amount = match?.[5]?.replaceAll(',', '');
  const decimal = amount === undefined ? undefined : readDecimal(amount);
  if (match === null || decimal === undefined)
    throw errors['22P02']({ values: { type: 'money', value: text } });
  const negative = [match[1], match[2], match[3], match[4]].some((sign) => sign !== undefined);
  const outOfRange = (): Error => errors['22003']({ values: { value: text.trim(), type: 'money' } });
  if (decimal.exponent > INTEGER_DIGITS) throw outOfRange();
  const rounded = roundDecimal({ ...decimal, negative }, 2);
  const cents = BigInt(decimalText(encodeDecimal({ ...rounded, exponent: rounded.exponent + 2 }) ?? '2'));
  if (cents > 9_223_372_036_854_775_807n || cents < -9_223_372_036_854_775_808n) throw outOfRange();
  return narrow(cents);
}

function moneyText(value: Stored): string {
  const cents = BigInt(value as number | bigint);
  const digits = (cents < 0n ? -cents : cents).toString().padStart(3, '0');
  const whole = BigInt(digits.slice(0, -2)).toLocaleString('en-US');
  return `${cents < 0n ? '-' : ''}$${whole}.${digits.slice(-2)}`;
}

/** numeric, numeric(p) and numeric(p,s). */
export function numericType(precision?: number, scale?: number): ValueType {
  const name =
    precision === undefined ? 'numeric' : `numeric(${precision}${scale === undefined ? ',0' : `,${scale}`})`;
  const parse = (text: string): Stored => {
    const special = encodeSpecial(text);
    if (special !== undefined && (precision === undefined || special === '5')) return special;
    const decimal = readDecimal(text);
    if (decimal === undefined) throw errors['22P02']({ values: { type: 'numeric', value: text } });
    const rounded = roundDecimal(decimal, precision === undefined ? NUMERIC_SCALE : (scale ?? 0));
    const whole = precision === undefined ? NUMERIC_WHOLE : precision - (scale ?? 0);
    const tooWide = rounded.exponent > whole;
    const encoded = tooWide ? undefined : encodeDecimal(rounded);
    if (encoded === undefined) {
      throw errors['22003']({
        message: 'numeric field overflow',
        details:
          precision === undefined
            ? null
            : `A field with precision ${precision}, scale ${scale ?? 0} must round to an absolute value less than 10^${precision - (scale ?? 0)}.`,
      });
    }
    return encoded;
  };
  const text = (value: Stored): string => decimalText(value as string, scale);
  return {
    name,
    family: 'numeric',
    element: undefined,
    ordered: true,
    equality: true,
    parse,
    fromJson: (value) => scalarFromJson(value, parse),
    toJson: (value) => (decodeDecimal(value as string) === undefined ? `"${text(value)}"` : text(value)),
    toText: text,
    compare: (a, b) => (a === b ? 0 : (a as string) < (b as string) ? -1 : 1),
  };
}

/** real (32 bits) and double precision. */
export function floatType(name: 'real' | 'double precision'): ValueType {
  const single = name === 'real';
  const parse = (text: string): Stored => {
    const word = encodeSpecial(text);
    if (word !== undefined) return word === '5' ? 'NaN' : word === '4' ? Infinity : -Infinity;
    if (readDecimal(text) === undefined) throw errors['22P02']({ values: { type: name, value: text } });
    const value = single ? Math.fround(Number(text)) : Number(text);
    if (!Number.isFinite(value)) {
      throw errors['22003']({ message: `"${text.trim()}" is out of range for type ${name}` });
    }
    return value;
  };
  const text = (value: Stored): string => floatText(value as number | 'NaN', single);
  return {
    name,
    family: 'float',
    element: undefined,
    ordered: true,
    equality: true,
    parse,
    fromJson: (value) => scalarFromJson(value, parse),
    toJson: (value) => (Number.isFinite(value) ? text(value) : `"${text(value)}"`),
    toText: text,
    compare: (a, b) => {
      if (a === 'NaN' || b === 'NaN') return a === b ? 0 : a === 'NaN' ? 1 : -1;
      return compareNumbers(a, b);
    },
  };
}

/** The shortest decimal that reads back as the same float; exponents from 1e15 and below 1e-4, as PostgreSQL prints. */
function floatText(value: number | 'NaN', single: boolean): string {
  if (value === 'NaN') return value;
  if (!Number.isFinite(value)) return value > 0 ? 'Infinity' : '-Infinity';
  if (Object.is(value, -0)) return '-0';
  let short = value;
  for (let digits = 6; single && digits <= 9; digits++) {
    short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) break;
  }
  const magnitude = Math.abs(short);
  const limit = single ? 1e6 : 1e15;
  if (magnitude !== 0 && (magnitude < 1e-4 || magnitude >= limit)) {
    return short.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
  }
  return String(short);
}

/** A safe integer becomes a number, so that each value has one stored form. */
export function narrow(value: bigint): number | bigint {
  const short = Number(value);
  return Number.isSafeInteger(short) ? short : value;
}

/** JavaScript compares numbers and bigints with each other exactly. */
export function compareNumbers(a: Stored, b: Stored): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** JSON scalars are read as in PostgreSQL: the type's own input function gets their text. */
export function scalarFromJson(value: unknown, parse: (text: string) => Stored): Stored | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return parse(value);
  if (value instanceof NumberLiteral) return parse(value.text);
  return parse(jsonText(value));
}
