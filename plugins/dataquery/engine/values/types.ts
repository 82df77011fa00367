/** The closed list of types by PostgreSQL's names and their aliases. */
import { arrayType } from './array.js';
import { boolean } from './boolean.js';
import { date, time, timestamp, timestamptz, timetz } from './datetime.js';
import { json, jsonb, unknownType } from './json.js';
import { floatType, integerType, money, numericType } from './number.js';
import { rangeType } from './range.js';
import { bitString, bytea, character, nameType, text, uuid, varchar } from './text.js';
import { tsvector } from './tsvector.js';
import type { ValueType } from './type.js';

export const smallint = integerType('smallint', -32_768n, 32_767n);
export const integer = integerType('integer', -2_147_483_648n, 2_147_483_647n);
export const bigint = integerType('bigint', -9_223_372_036_854_775_808n, 9_223_372_036_854_775_807n);
export const numeric = numericType();
export const doublePrecision = floatType('double precision');
const real = floatType('real');
const oid = integerType('oid', 0n, 4_294_967_295n, true);

const PLAIN: ReadonlyMap<string, ValueType> = new Map<string, ValueType>([
  ...named(smallint, 'smallint', 'int2', 'smallserial'),
  ...named(integer, 'integer', 'int', 'int4', 'serial'),
  ...named(bigint, 'bigint', 'int8', 'bigserial'),
  ...named(oid, 'oid'),
  ...named(money, 'money'),
  ...named(numeric, 'numeric', 'decimal'),
  ...named(real, 'real', 'float4'),
  ...named(doublePrecision, 'double precision', 'float8', 'float'),
  ...named(text, 'text', 'citext'),
  ...named(varchar(), 'character varying', 'varchar'),
  ...named(character(1), 'character', 'char', 'bpchar'),
  ...named(nameType, 'name'),
  ...named(boolean, 'boolean', 'bool'),
  ...named(date, 'date'),
  ...named(timestamp, 'timestamp', 'timestamp without time zone'),
  ...named(timestamptz, 'timestamptz', 'timestamp with time zone'),
  ...named(time, 'time', 'time without time zone'),
  ...named(timetz, 'timetz', 'time with time zone'),
  ...named(uuid, 'uuid'),
  ...named(bytea, 'bytea'),
  ...named(bitString(1, false), 'bit'),
  ...named(bitString(undefined, true), 'bit varying', 'varbit'),
  ...named(json, 'json'),
  ...named(jsonb, 'jsonb'),
  ...named(tsvector, 'tsvector'),
  ...named(rangeType('int4range', integer, true), 'int4range'),
  ...named(rangeType('int8range', bigint, true), 'int8range'),
  ...named(rangeType('numrange', numeric, false), 'numrange'),
  ...named(rangeType('daterange', date, true), 'daterange'),
  ...named(rangeType('tsrange', timestamp, false), 'tsrange'),
  ...named(rangeType('tstzrange', timestamptz, false), 'tstzrange'),
]);

/** Types that take a modifier, e.g. `character varying(64)`. */
const SIZED: Readonly<Record<string, (first: number, second?: number) => ValueType>> = {
  'character varying': varchar,
  varchar,
  character,
  char: character,
  bpchar: character,
  bit: (length) => bitString(length, false),
  'bit varying': (length) => bitString(length, true),
  varbit: (length) => bitString(length, true),
  numeric: numericType,
  decimal: numericType,
  timestamp: () => timestamp,
  timestamptz: () => timestamptz,
  time: () => time,
  timetz: () => timetz,
};

/** Names are matched by patterns whose time grows faster than their length. */
const LONGEST_NAME = 100;

/** The type of a name such as `int4`, `numeric(10,2)` or `text[]`; undefined for an unknown name. */
export function knownType(name: string): ValueType | undefined {
  if (name.length > LONGEST_NAME) return undefined;
  // `_int4` is PostgreSQL's own name for `int4[]`.
  const elementName = withoutBrackets(name) ?? (/^\s*_[a-z]/i.test(name) ? name.trim().slice(1) : undefined);
  if (elementName !== undefined) {
    const element = knownType(withoutAllBrackets(elementName));
    return element === undefined ? undefined : arrayType(element);
  }
  const lower = name.trim().toLowerCase().replace(/\s+/g, ' ');
  const sized = /^([a-z ]+?) ?\( ?(\d+) ?(?:, ?(\d+) ?)?\)$/.exec(lower);
  if (sized === null) return PLAIN.get(lower);
  const [, base = '', first, second] = sized;
  return Object.hasOwn(SIZED, base)
    ? SIZED[base]?.(Number(first), second === undefined ? undefined : Number(second))
    : undefined;
}

/** Like `knownType`, and for an unknown name a type that passes values unchanged. */
export function typeNamed(name: string): ValueType {
  const elementName = name.length > LONGEST_NAME ? undefined : withoutBrackets(name);
  return (
    knownType(name) ?? (elementName === undefined ? unknownType(name) : arrayType(typeNamed(elementName)))
  );
}

/** `text[]` for `text[][]`, undefined for a name without brackets. */
function withoutBrackets(name: string): string | undefined {
  const trimmed = name.trim();
  const brackets = /\[\d*\]$/.exec(trimmed);
  return brackets === null ? undefined : trimmed.slice(0, brackets.index).trimEnd();
}

/** Arrays of any number of dimensions have one type. */
function withoutAllBrackets(name: string): string {
  const element = withoutBrackets(name);
  return element === undefined ? name : withoutAllBrackets(element);
}

function named(type: ValueType, ...names: string[]): [string, ValueType][] {
  return names.map((name) => [name, type]);
}
