/** The words around a number, which decide its meaning. */
import type { Token } from './tokens.js';

/** Tokens to look at on each side; words are not further apart. */
const REACH = 6;

/** The Hangul word before `at`, skipping spaces, brackets and quotes; empty if something else is there. */
export function wordBefore(tokens: readonly Token[], at: number): string {
  for (let before = at - 1; before >= Math.max(0, at - REACH); before -= 1) {
    const token = tokens[before];
    if (token?.kind === 'hangul') return token.text;
    if (!isBetween(token)) return '';
  }
  return '';
}

/** Up to two words from `at` on. The first may begin at `at`. */
export function wordsAfter(tokens: readonly Token[], at: number): readonly [string, string] {
  const words: string[] = [];
  for (let next = at; next < at + REACH && words.length < 2; next += 1) {
    const token = tokens[next];
    if (token?.kind === 'hangul') words.push(token.text);
    else if (!isBetween(token)) break;
  }
  return [words[0] ?? '', words[1] ?? ''];
}

function isBetween(token: Token | undefined): boolean {
  return token?.kind === 'space' || (token?.kind === 'symbol' && `()[]"'「」『』<>:☎`.includes(token.text));
}

export function startsWithAny(word: string, starts: readonly string[]): boolean {
  return word !== '' && starts.some((start) => word.startsWith(start));
}

export function endsWithAny(word: string, ends: readonly string[]): boolean {
  return word !== '' && ends.some((end) => word.endsWith(end));
}

/** The word without a trailing particle: 기온은 is 기온. */
export function withoutParticle(word: string): string {
  return word.length > 2 && '은는이가을를도의에'.includes(word.at(-1) ?? '') ? word.slice(0, -1) : word;
}

/** The index after an optional space. */
export function skipSpace(tokens: readonly Token[], at: number): number {
  return tokens[at]?.kind === 'space' ? at + 1 : at;
}
