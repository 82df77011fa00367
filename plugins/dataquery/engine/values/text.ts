/** text, character varying, character, name, enumerations, uuid, bytea and bit strings. */
import { errors } from '../base/errors.js';
import { compareText } from '../base/text-order.js';
import { scalarFromJson } from './number.js';
import type { Stored } from './stored.js';
import type { TypeFamily, ValueType } from './type.js';

interface TextOptions {
  readonly family?: TypeFamily;
  readonly print?: (value: string) => string;
}

function textType(name: string, read: (text: string) => string, options: TextOptions = {}): ValueType {
  const parse = (text: string): Stored => read(wellFormed(text));
  const print = (value: Stored): string => (options.print ?? String)(value as string);
  return {
    name,
    family: options.family ?? 'text',
    element: undefined,
    ordered: true,
    equality: true,
    parse,
    fromJson: (value) => scalarFromJson(value, parse),
    toJson: (value) => quoted(print(value)),
    toText: print,
    compare: (a, b) => compareText(a as string, b as string),
  };
}

export const text = textType('text', (value) => value);

const PLAIN = /^[ !#-[\]-~]*$/;

/** Three times as fast as `JSON.stringify` for short texts without escapes. */
function quoted(value: string): string {
  return value.length < 100 && PLAIN.test(value) ? `"${value}"` : JSON.stringify(value);
}

/** At most 63 bytes; longer ones are truncated, as in PostgreSQL. */
export const nameType = textType('name', (value) => {
  const bytes = Buffer.from(value);
  return bytes.length <= 63
    ? value
    : bytes
        .subarray(0, 63)
        .toString('utf8')
        .replace(/\uFFFD{1,3}$/, '');
});

export function varchar(length?: number): ValueType {
  const name = length === undefined ? 'character varying' : `character varying(${length})`;
  return textType(name, (value) => atMost(value, length ?? Infinity, name));
}

/** Padded with blanks, which comparisons ignore: stored without them. */
export function character(length: number): ValueType {
  const name = `character(${length})`;
  return textType(name, (value) => withoutBlanks(atMost(value, length, name)), {
    print: (value) => value + ' '.repeat(Math.max(0, length - lengthOf(value))),
  });
}

/** A loop instead of / +$/, which takes quadratic time on blanks in the middle. */
function withoutBlanks(value: string): string {
  let end = value.length;
  while (value[end - 1] === ' ') end -= 1;
  return value.slice(0, end);
}

/** Sorted in the order of its labels, which storage cannot know. */
export function enumeration(name: string, labels: readonly string[]): ValueType {
  const type = textType(name, (value) => {
    if (labels.includes(value)) return value;
    throw errors['22P02']({ message: `invalid input value for enum ${name}: "${value}"` });
  });
  const place = (value: Stored): number => labels.indexOf(value as string);
  return { ...type, labels, ordered: false, compare: (a, b) => place(a) - place(b) };
}

/** With blanks around it. */
const LONGEST_UUID = 100;

export const uuid = textType(
  'uuid',
  (value) => {
    if (value.length > LONGEST_UUID) throw errors['22P02']({ values: { type: 'uuid', value } });
    const hex = value
      .trim()
      .replace(/^\{(.*)\}$/, '$1')
      .replaceAll('-', '')
      .toLowerCase();
    if (!/^[0-9a-f]{32}$/.test(hex)) throw errors['22P02']({ values: { type: 'uuid', value } });
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  },
  { family: 'uuid' },
);

/** `\x` and hexadecimal digits; any other text is taken as its bytes. */
export const bytea = textType(
  'bytea',
  (value) => {
    if (!value.startsWith('\\x')) return `\\x${Buffer.from(value).toString('hex')}`;
    const hex = value.slice(2).toLowerCase();
    if (hex.length % 2 === 0 && !/[^0-9a-f]/.test(hex)) return `\\x${hex}`;
    throw errors['22P02']({
      message:
        hex.length % 2 === 1 ? 'invalid hexadecimal data: odd number of digits' : 'invalid hexadecimal digit',
    });
  },
  { family: 'bytea' },
);

/** bit(n), or bit varying with an optional limit. */
export function bitString(length: number | undefined, varying: boolean): ValueType {
  const name = `bit${varying ? ' varying' : ''}${length === undefined ? '' : `(${length})`}`;
  return textType(
    name,
    (value) => {
      const bits = value.replace(/^[bB]/, '');
      const wrong = /[^01]/.exec(bits);
      if (wrong !== null) throw errors['22P02']({ message: `"${wrong[0]}" is not a valid binary digit` });
      if (length === undefined || bits.length === length || (varying && bits.length < length)) return bits;
      if (varying) throw errors['22001']({ values: { type: name } });
      throw errors['22026']({ values: { length: bits.length, type: name } });
    },
    { family: 'bit' },
  );
}

function atMost(value: string, length: number, type: string): string {
  if (value.length <= length || lengthOf(value) <= length) return value;
  const cut = Array.from(value).slice(0, length).join('');
  // Trailing blanks are cut silently, as in the SQL standard.
  if (value.slice(cut.length).trim() === '') return cut;
  throw errors['22001']({ values: { type } });
}

/** In characters, not in UTF-16 units. */
function lengthOf(value: string): number {
  return value.length - (value.match(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)?.length ?? 0);
}

function wellFormed(value: string): string {
  if (value.includes('\0')) throw errors['22P05']({ details: '\\u0000 cannot be converted to text.' });
  if (/\p{Surrogate}/u.test(value)) {
    throw errors['22P02']({
      message: 'invalid input syntax for type json',
      details: 'Unicode surrogates must come in pairs.',
    });
  }
  return value;
}
