/**
 * Reads one parameter from left to right. Remembers what was expected at the farthest position reached, for the error
 * message.
 */
import { syntaxError } from './syntax-error.js';

/** Limit of nesting; it bounds the stack, not what people write. */
export const MAX_DEPTH = 64;

const LETTER_OR_DIGIT = /[\p{L}\p{Nd}]/u;

export class Scanner {
  readonly text: string;
  at = 0;
  /** The parameter's label in an error, e.g. `failed to parse order (id.up)`. */
  readonly #label: string;
  #farthest = 0;
  #expected: string[] = [];
  #unexpected: string | undefined;

  constructor(text: string, label: string) {
    this.text = text;
    this.#label = label;
  }

  get done(): boolean {
    return this.at >= this.text.length;
  }

  peek(): string | undefined {
    return this.text[this.at];
  }

  startsWith(word: string): boolean {
    return this.text.startsWith(word, this.at);
  }

  /** Takes `word` if it is next; otherwise remembers `expectation` (nothing when null). */
  take(word: string, expectation: string | null = JSON.stringify(word)): boolean {
    if (this.startsWith(word)) {
      this.at += word.length;
      return true;
    }
    if (expectation !== null) this.expect(expectation);
    return false;
  }

  /** Takes `word` or refuses the parameter. */
  need(word: string, expectation?: string): void {
    if (!this.take(word, expectation)) this.fail();
  }

  takeWhile(accept: (char: string) => boolean): string {
    const start = this.at;
    while (!this.done && accept(this.text[this.at]!)) this.at += 1;
    return this.text.slice(start, this.at);
  }

  takeRest(): string {
    const rest = this.text.slice(this.at);
    this.at = this.text.length;
    return rest;
  }

  skipBlank(): void {
    while (this.text[this.at] === ' ' || this.text[this.at] === '\t') this.at += 1;
  }

  /** Remembers that `what` was possible here. */
  expect(what: string): void {
    if (this.at > this.#farthest) {
      this.#farthest = this.at;
      this.#expected = [];
    }
    if (this.at === this.#farthest && !this.#expected.includes(what)) this.#expected.push(what);
  }

  /** Refuses the parameter at the farthest position reached (or here, with a reason of its own). */
  fail(reason?: string): never {
    if (reason !== undefined) {
      this.#farthest = this.at;
      this.#expected = [];
      this.#unexpected = reason;
    }
    const { column, found: text } = this.#place();
    // As Parsec prints it: a character where the text should end is in single quotes.
    const found = this.#expected.includes('end of input') ? text.replace(/^"(.*)"$/u, "'$1'") : text;
    const unexpected = this.#unexpected ?? `unexpected ${found}`;
    const expected = this.#expected.length === 0 ? '' : ` expecting ${listed(this.#expected)}`;
    throw syntaxError(this.#label, column, unexpected + expected);
  }

  #place(): { column: number; found: string } {
    const before = [...this.text.slice(0, this.#farthest)];
    const next = this.text.codePointAt(this.#farthest);
    return {
      column: before.length + 1,
      found: next === undefined ? 'end of input' : JSON.stringify(String.fromCodePoint(next)),
    };
  }
}

/** A letter of any script, a digit, `_`, `$` or a space. */
export function isNameChar(char: string): boolean {
  const code = char.charCodeAt(0);
  if (code < 128) {
    return (
      (code >= 97 && code <= 122) ||
      (code >= 65 && code <= 90) ||
      (code >= 48 && code <= 57) ||
      code === 95 ||
      code === 36 ||
      code === 32
    );
  }
  return isSurrogate(code) || LETTER_OR_DIGIT.test(char);
}

function isSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdfff;
}

function listed(words: readonly string[]): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}
