/** What is written around a number: the words by which its sense is known. */
import type { Token } from './tokens.js';

/** Tokens that are looked at to each side; words are not further apart. */
const REACH = 6;

/** The Hangul word before `at`, without the spaces, brackets and quotes between; empty where another thing is. */
export function wordBefore(tokens: readonly Token[], at: number): string {
  for (let before = at - 1; before >= Math.max(0, at - REACH); before -= 1) {
    const token = tokens[before];
    if (token?.kind === 'hangul') return token.text;
    if (!isBetween(token)) return '';
  }
  return '';
}

/** Up to two words from `at` on. The first may begin at once. */
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

/** The word without the particle that may follow it: 기온은 is 기온. */
export function withoutParticle(word: string): string {
  return word.length > 2 && '은는이가을를도의에'.includes(word.at(-1) ?? '') ? word.slice(0, -1) : word;
}

/** The place behind a space, if there is one. */
export function skipSpace(tokens: readonly Token[], at: number): number {
  return tokens[at]?.kind === 'space' ? at + 1 : at;
}
