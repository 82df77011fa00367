/** Domains of the cases' schema with casts of their own, which are SQL there: here as a module. */
import type { Representation } from '../../../plugins/dataquery/engine/values/domain.js';

/** Every word begins with a capital letter, as `initcap` makes it. */
export const titlecasetext: Representation = {
  toJson: (value) => (typeof value === 'string' ? value.replace(/[^\W_]+/g, capitalized) : value),
};

/** `#01E240`; null is empty. The file of rows holds the number. */
export const color: Representation = {
  toJson: (value) =>
    typeof value === 'number' ? `#${value.toString(16).toUpperCase().padStart(6, '0')}` : '',
  fromJson: (value) => (typeof value === 'string' ? colorNumber(value) : value),
  fromText: colorNumber,
};

/** UTC with a Z. */
export const isodate: Representation = {
  toJson: (value) => (typeof value === 'string' ? value.replace('+00:00', 'Z') : value),
};

/** Seconds since 1970. */
export const unixtz: Representation = {
  toJson: (value) => (typeof value === 'string' ? Math.floor(Date.parse(value) / 1_000) : value),
  fromJson: (value) => (typeof value === 'number' ? new Date(value * 1_000).toISOString() : value),
  fromText: (text) => (/^\d+$/.test(text) ? new Date(Number(text) * 1_000).toISOString() : text),
};

/** Base 64. The file of rows holds the digits. */
export const bytea_b64: Representation = {
  toJson: (value) =>
    typeof value === 'string' ? Buffer.from(value.slice(2), 'hex').toString('base64') : value,
  fromJson: (value) => (typeof value === 'string' ? bytes(value) : value),
  fromText: bytes,
};

/** A text with two decimal places. */
export const monetary: Representation = {
  toJson: (value) => (typeof value === 'number' ? value.toFixed(2) : value),
};

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1).toLowerCase();
}

function colorNumber(text: string): number {
  const digits = text.replace(/^#/, '');
  if (!/^[\da-f]{1,6}$/i.test(digits)) throw new TypeError('A color is # and six hexadecimal digits.');
  return Number.parseInt(digits, 16);
}

function bytes(text: string): string {
  return text.startsWith('\\x') ? text : `\\x${Buffer.from(text, 'base64').toString('hex')}`;
}
