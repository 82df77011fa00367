/**
 * Translates PostgreSQL's regular expressions (documentation, 9.7.3) to the syntax of RE2. Back references and
 * look-around are refused: they need backtracking, whose time a client could make exponential. Word boundaries are
 * those of ASCII letters, digits and `_`.
 */
import { errors } from '../base/errors.js';

/** The inside of a bracket, for classes that PostgreSQL applies to all scripts. */
const WORD = String.raw`\p{L}\p{N}_`;
const SPACE = String.raw`\s\x0b\p{Z}`;
const CLASSES: Readonly<Record<string, string>> = { d: String.raw`\p{Nd}`, w: WORD, s: SPACE };
const NAMED: Readonly<Record<string, string>> = {
  alpha: String.raw`\p{L}`,
  digit: String.raw`\p{Nd}`,
  alnum: String.raw`\p{L}\p{N}`,
  upper: String.raw`\p{Lu}`,
  lower: String.raw`\p{Ll}`,
  space: SPACE,
  blank: String.raw`\t `,
  punct: String.raw`\p{P}\p{S}`,
  cntrl: String.raw`\p{Cc}`,
  xdigit: '0-9a-fA-F',
  print: String.raw`\P{Cc}`,
  graph: String.raw`\p{L}\p{M}\p{N}\p{P}\p{S}`,
  word: WORD,
};
const PLACES: Readonly<Record<string, string>> = {
  y: String.raw`\b`,
  Y: String.raw`\B`,
  A: String.raw`\A`,
  Z: String.raw`\z`,
};
const CONTROLS: Readonly<Record<string, string>> = {
  n: String.raw`\n`,
  t: String.raw`\t`,
  r: String.raw`\r`,
  f: String.raw`\f`,
  v: String.raw`\v`,
  a: String.raw`\a`,
  e: String.raw`\x1b`,
};
/** Special characters of RE2, in brackets or outside of them. */
const SPECIAL = /[\\^$.*+?()[\]{}|&~-]/;

/** Throws 2201B with PostgreSQL's reason, for what RE2 would read differently. */
export function toRe2(source: string): string {
  return new Translator(Array.from(source)).translated();
}

export function invalidPattern(reason: string): Error {
  return errors['2201B']({ values: { reason } });
}

class Translator {
  readonly #chars: readonly string[];
  #at = 0;
  #result = '';

  constructor(chars: readonly string[]) {
    this.#chars = chars;
  }

  translated(): string {
    while (this.#at < this.#chars.length) this.#result += this.#atom();
    return this.#result;
  }

  #next(): string | undefined {
    return this.#chars[this.#at++];
  }

  #atom(): string {
    const char = this.#next()!;
    if (char === '\\') return this.#escape();
    if (char === '[') return this.#bracket();
    if (char === '(') return this.#group();
    if (char === '{') return this.#bounds();
    return char;
  }

  /** `(?:` is a group; all else that begins with `(?` is another extension. */
  #group(): string {
    if (this.#chars[this.#at] === '?' && this.#chars[this.#at + 1] !== ':') {
      throw invalidPattern('look-around is not supported');
    }
    return '(';
  }

  /** A bound begins with a digit and is at most 255; any other brace is itself. */
  #bounds(): string {
    const ahead = this.#chars.slice(this.#at, this.#at + 12).join('');
    if (!/^\d/.test(ahead)) return String.raw`\{`;
    const bounds = /^(\d{1,3})(?:,(\d{0,3}))?\}/.exec(ahead);
    if (bounds === null) throw invalidPattern('invalid repetition count(s)');
    const [, least, most] = bounds;
    if (Number(least) > 255 || Number(most ?? 0) > 255) throw invalidPattern('invalid repetition count(s)');
    this.#at += bounds[0].length;
    return `{${bounds[0]}`;
  }

  #escape(): string {
    const char = this.#next();
    if (char === undefined) throw invalidPattern('invalid escape \\ sequence');
    if (char === 'm') return this.#wordStart();
    if (char === 'M') return this.#wordEnd();
    const place = Object.hasOwn(PLACES, char) ? PLACES[char] : undefined;
    if (place !== undefined) return place;
    if (/[1-9]/.test(char)) throw invalidPattern('back references are not supported');
    const lower = char.toLowerCase();
    const inside = Object.hasOwn(CLASSES, lower) ? CLASSES[lower] : undefined;
    if (inside !== undefined) return char === lower ? `[${inside}]` : `[^${inside}]`;
    return literal(char);
  }

  /** RE2 has word boundaries, but no start or end of a word: the next character tells. */
  #wordStart(): string {
    const [next = '', after = ''] = this.#chars.slice(this.#at, this.#at + 2);
    if (!/\w/.test(next) && !(next === '\\' && after === 'w')) {
      throw invalidPattern('\\m is supported before a letter, a digit, _ or \\w only');
    }
    return String.raw`\b`;
  }

  #wordEnd(): string {
    const before = this.#chars.slice(Math.max(0, this.#at - 5), this.#at - 2).join('');
    if (!/\\w\+?$|\w$/.test(before)) {
      throw invalidPattern('\\M is supported after a letter, a digit, _ or \\w only');
    }
    return String.raw`\b`;
  }

  /** `[^a-z[:digit:]_]`; a bracket that comes first is itself. */
  #bracket(): string {
    let result = '[';
    if (this.#chars[this.#at] === '^') result += this.#next()!;
    for (let first = true; first || this.#chars[this.#at] !== ']'; first = false) {
      if (this.#at >= this.#chars.length) throw invalidPattern('brackets [] not balanced');
      result += this.#bracketItem();
    }
    this.#at += 1;
    return `${result}]`;
  }

  #bracketItem(): string {
    const char = this.#next()!;
    if (char === '[' && this.#chars[this.#at] === ':') return this.#named();
    if (char === '\\' && this.#at < this.#chars.length) {
      const escaped = this.#next()!;
      return (Object.hasOwn(CLASSES, escaped) ? CLASSES[escaped] : undefined) ?? literal(escaped);
    }
    // A hyphen between two characters makes a range; at either end it is itself.
    const next = this.#chars[this.#at + 1];
    if (char === '-' || this.#chars[this.#at] !== '-' || next === ']' || next === undefined)
      return escaped(char);
    this.#at += 1;
    return `${escaped(char)}-${escaped(this.#next()!)}`;
  }

  #named(): string {
    const name = /^:([a-z]{1,10}):\]/.exec(this.#chars.slice(this.#at, this.#at + 14).join(''))?.[1];
    const inside = name !== undefined && Object.hasOwn(NAMED, name) ? NAMED[name] : undefined;
    if (name === undefined || inside === undefined) throw invalidPattern('invalid character class');
    this.#at += name.length + 3;
    return inside;
  }
}

/** A character after a backslash: a control character, or itself. */
function literal(char: string): string {
  const control = Object.hasOwn(CONTROLS, char) ? CONTROLS[char] : undefined;
  if (control !== undefined) return control;
  if (/[\p{L}\p{N}]/u.test(char)) throw invalidPattern('invalid escape \\ sequence');
  return escaped(char);
}

function escaped(char: string): string {
  return SPECIAL.test(char) ? `\\${char}` : char;
}
