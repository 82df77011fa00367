/** Translates regular expressions of JavaScript to PCRE, which the server uses. */
import { BSONRegExp } from 'mongodb';
import { StorageError } from 'plugboard/sdk';

/**
 * Tokens that PCRE writes differently, and escapes and classes as a whole, inside which `$` is a literal. Classes of a
 * RegExp are always closed; the optional bracket keeps the match linear.
 */
const OTHERWISE = /\\u[0-9a-f]{4}|\\.|\[\^?\]|\[(?:\\.|[^\]\\])*\]?|\$/gis;

export function toPcre(pattern: RegExp): BSONRegExp {
  const flags = pattern.flags.replace(/[dg]/g, '');
  if (/[^ims]/.test(flags))
    throw new StorageError('invalid', `filter: "$regex": flags i, m and s, not "${pattern.flags}"`);
  const source = pattern.source.replace(OTHERWISE, (part) => {
    if (part === '[]') return '(?!)';
    if (part === '[^]') return '[\\s\\S]';
    if (part !== '$') return part.replace(/\\u([0-9a-f]{4})|\\./gis, withCodePoint);
    // PCRE's `$` also matches before a last newline; JavaScript's does not.
    return flags.includes('m') ? part : '\\z';
  });
  return new BSONRegExp(source, flags);
}

function withCodePoint(escaped: string, codePoint?: string): string {
  return codePoint === undefined ? escaped : `\\x{${codePoint}}`;
}
