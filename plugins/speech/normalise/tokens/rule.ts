/** A rule of the normaliser: what it reads at an index of the tokens, and how. */
import type { Token } from './tokens.js';

export interface Reading {
  /** Number of tokens. */
  readonly take: number;
  readonly text: string;
  /** Follows the reading before the next token: the rest of a partly read Hangul token. */
  readonly rest?: string;
}

export interface Rule {
  readonly name: string;
  /** Undefined if the rule does not apply. */
  read(tokens: readonly Token[], at: number): Reading | undefined;
}

/** The text of the token if it is of this kind. */
export function textOf(token: Token | undefined, kind: Token['kind']): string | undefined {
  return token?.kind === kind ? token.text : undefined;
}

export function isSymbol(token: Token | undefined, characters: string): boolean {
  return token?.kind === 'symbol' && characters.includes(token.text);
}

/** Whether a token ends the previous number: a number after it is a new one. */
export function separates(token: Token | undefined): boolean {
  return (
    token === undefined ||
    token.kind === 'space' ||
    token.kind === 'break' ||
    isSymbol(token, '([{"\'“‘,~<>「『:=')
  );
}

/** The most groups of digits read as one: the four of a card or an IP address, and some more. */
const MOST_GROUPS = 8;

/** Groups of digits joined by the sign, from `at` on: 1 and 2 of `1-2`. Empty without digits. */
export function digitGroups(tokens: readonly Token[], at: number, joint: string): readonly string[] {
  const groups: string[] = [];
  for (let next = at; groups.length < MOST_GROUPS; next += 2) {
    const digits = textOf(tokens[next], 'digits');
    if (digits === undefined) break;
    groups.push(digits);
    if (tokens[next + 1]?.text !== joint) break;
  }
  return groups;
}
