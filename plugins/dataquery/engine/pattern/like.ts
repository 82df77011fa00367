/** `like`: `%` is any text, `_` any character, a backslash takes the next character as it is. */
import { boundSteps } from './steps.js';

type Token =
  | { readonly kind: 'any-text' }
  | { readonly kind: 'any-char' }
  | { readonly kind: 'char'; readonly char: string };

export interface LikePattern {
  test(text: string): boolean;
  /** The same for storage, for patterns that a regular expression decides without going back and forth. */
  readonly pattern: RegExp | undefined;
}

export function likePattern(source: string, ignoreCase: boolean): LikePattern {
  const tokens = tokenize(ignoreCase ? source.toLowerCase() : source);
  return {
    test: (text) => matches(tokens, [...(ignoreCase ? text.toLowerCase() : text)]),
    pattern: ignoreCase ? undefined : asRegExp(tokens),
  };
}

function tokenize(source: string): Token[] {
  const tokens: Token[] = [];
  const chars = [...source];
  for (let at = 0; at < chars.length; at += 1) {
    const char = chars[at]!;
    if (char === '%') {
      if (tokens.at(-1)?.kind !== 'any-text') tokens.push({ kind: 'any-text' });
    } else if (char === '_') tokens.push({ kind: 'any-char' });
    else if (char === '\\' && at + 1 < chars.length) tokens.push({ kind: 'char', char: chars[(at += 1)]! });
    else tokens.push({ kind: 'char', char });
  }
  return tokens;
}

/** Greedy: only the last `%` is ever gone back to, so the time is at most tokens times characters. */
function matches(tokens: readonly Token[], chars: readonly string[]): boolean {
  let steps = 0;
  let at = 0;
  let token = 0;
  let star = -1;
  let starAt = 0;
  while (at < chars.length) {
    const current = tokens[token];
    if (current?.kind === 'any-text') {
      star = token;
      starAt = at;
      token += 1;
    } else if (current !== undefined && (current.kind === 'any-char' || current.char === chars[at])) {
      token += 1;
      at += 1;
    } else if (star >= 0) {
      boundSteps((steps += token - star));
      token = star + 1;
      starAt += 1;
      at = starAt;
    } else return false;
  }
  while (tokens[token]?.kind === 'any-text') token += 1;
  return token === tokens.length;
}

/** Storage looks for the pattern at every place of a text, so the time is the product of both lengths. */
const LONGEST_SENT = 100;

/** With `%` at the ends only, or once between. */
function asRegExp(tokens: readonly Token[]): RegExp | undefined {
  if (tokens.length > LONGEST_SENT) return undefined;
  const stars = tokens.flatMap((token, at) => (token.kind === 'any-text' ? [at] : []));
  const atEnds = stars.every((at) => at === 0 || at === tokens.length - 1);
  if (stars.length > 1 && !atEnds) return undefined;
  if (tokens.some((token) => token.kind === 'char' && token.char.length > 1)) return undefined;
  const open = tokens[0]?.kind === 'any-text';
  const close = tokens.length > 1 && tokens.at(-1)?.kind === 'any-text';
  const body = tokens
    .slice(open ? 1 : 0, close ? -1 : undefined)
    .map(tokenSource)
    .join('');
  return new RegExp(`${open ? '' : '^'}${body}${close || (open && tokens.length === 1) ? '' : '$'}`, 's');
}

function tokenSource(token: Token): string {
  if (token.kind === 'any-text') return '.*';
  return token.kind === 'any-char' ? '.' : token.char.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
