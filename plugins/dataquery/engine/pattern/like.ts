/** `like`: `%` is any text, `_` any character, a backslash takes the next character as it is. */
import { searchFor } from './search.js';
import { boundSteps } from './steps.js';

type Token =
  | { readonly kind: 'any-text' }
  | { readonly kind: 'any-char' }
  | { readonly kind: 'char'; readonly char: string };

export interface LikePattern {
  test(text: string): boolean;
  /** The same for storage, for patterns that a regular expression decides without backtracking. */
  readonly pattern: RegExp | undefined;
}

export function likePattern(source: string, ignoreCase: boolean): LikePattern {
  const tokens = tokenize(ignoreCase ? source.toLowerCase() : source);
  const passes = tokens.some(({ kind }) => kind === 'any-char') ? withAnyChar(tokens) : withAnyText(tokens);
  return {
    test: (text) => passes(ignoreCase ? text.toLowerCase() : text),
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

/** Texts with any text between them: each is searched after the one before, in linear time. */
function withAnyText(tokens: readonly Token[]): (text: string) => boolean {
  const parts = [''];
  for (const token of tokens)
    if (token.kind === 'char') parts[parts.length - 1] += token.char;
    else parts.push('');
  const [first = '', last = ''] = [parts[0], parts.at(-1)];
  if (parts.length === 1) return (text) => text === first;
  const inner = parts.slice(1, -1).map((part) => ({ part, places: searchFor(part) }));
  return (text) => {
    if (!text.startsWith(first) || !text.endsWith(last)) return false;
    let at = first.length;
    for (const { part, places } of inner) {
      const found = places(text, at);
      if (found === -1) return false;
      at = found + part.length;
    }
    return at + last.length <= text.length;
  };
}

/** `_` matches a whole character, also one of two UTF-16 units. */
function withAnyChar(tokens: readonly Token[]): (text: string) => boolean {
  const codes = Int32Array.from(tokens, (token) =>
    token.kind === 'char' ? token.char.codePointAt(0)! : token.kind === 'any-char' ? ANY_CHAR : ANY_TEXT,
  );
  return (text) => matches(codes, codePoints(text));
}

const ANY_CHAR = -1;
const ANY_TEXT = -2;

function codePoints(text: string): Int32Array {
  const codes = new Int32Array(text.length);
  let count = 0;
  for (let at = 0; at < text.length; count += 1) {
    const code = text.codePointAt(at)!;
    codes[count] = code;
    at += code > 0xffff ? 2 : 1;
  }
  return codes.subarray(0, count);
}

/** Cost of a backtrack, added to the steps that `boundSteps` limits. */
const STEP = 3;

/** Greedy: backtracks only to the last `%`, so the time is at most tokens times characters. */
function matches(tokens: Int32Array, text: Int32Array): boolean {
  let steps = 0;
  let at = 0;
  let token = 0;
  let star = -1;
  let starAt = 0;
  while (at < text.length) {
    const current = tokens[token];
    if (current === ANY_TEXT) {
      star = token;
      starAt = at;
      token += 1;
    } else if (current === ANY_CHAR || current === text[at]) {
      token += 1;
      at += 1;
    } else if (star >= 0) {
      boundSteps((steps += STEP * (token - star)));
      token = star + 1;
      starAt += 1;
      at = starAt;
    } else return false;
  }
  while (tokens[token] === ANY_TEXT) token += 1;
  return token === tokens.length;
}

/** Storage tries the pattern at every position of a text, so the time is the product of both lengths. */
const LONGEST_SENT = 100;

/** With `%` only at the ends, or once between. */
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
