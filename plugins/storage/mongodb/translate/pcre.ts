/** JavaScript's regular expressions in the words of PCRE, the server's. */
import { BSONRegExp } from 'mongodb';
import { StorageError } from 'plugboard/sdk';

/**
 * What PCRE writes otherwise; escapes and classes as a whole, in which `$` is a character. Every class of a RegExp is
 * closed; that the bracket may be missing keeps the search from starting again at each place.
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
