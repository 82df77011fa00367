/** JSON whose numbers keep their values: those that a double cannot hold are kept as text. */
import { randomBytes } from 'node:crypto';
import { compareDecimals, plainDecimal, readDecimal } from './decimal.js';

/** A number of a JSON text with more digits than a double has. */
export class NumberLiteral {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Numbers of 16 digits and more, and large exponents, may not survive `JSON.parse`. */
const SUSPICIOUS = /[\d.]{16}|\d[eE][+-]?\d{3}/;

/** Deeper nesting is refused: values are walked by recursion. */
const MAX_DEPTH = 500;

/** `JSON.parse`, except that numbers that would change become `NumberLiteral`s. Throws SyntaxError. */
export function parseJson(text: string): unknown {
  const steps = parseJsonInSteps(text);
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
}

/**
 * The same with pauses between its passes, and within those that take longer than `JSON.parse`. A number that would
 * change is quoted with an unguessable prefix, and found again in the value: half a million values take 20 ms this way,
 * and 200 in a parser written in JavaScript. Throws RangeError for more than `most` such numbers: each takes
 * microseconds and hundreds of bytes.
 */
export function* parseJsonInSteps(text: string, most = Infinity): Generator<undefined, unknown> {
  if (isTooDeep(text)) throw new SyntaxError(`nested more than ${MAX_DEPTH} levels deep`);
  yield;
  const value = JSON.parse(text) as unknown;
  yield;
  if (!SUSPICIOUS.test(text)) return value;
  yield;
  const literals: NumberLiteral[] = [];
  const marked = yield* markLiterals(text, literals, most);
  if (literals.length === 0) return value;
  yield;
  const again = JSON.parse(marked) as unknown;
  yield;
  return yield* unmarked(again, literals);
}

/** The text with each number that would change as a string; adds them to `literals`. */
function* markLiterals(text: string, literals: NumberLiteral[], most: number): Generator<undefined, string> {
  const marked: string[] = [];
  let taken = 0;
  let paused = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) at = endOfString(text, at);
    if (!isOfNumber(character)) continue;
    const start = at;
    while (isOfNumber(text.charCodeAt(at + 1))) at++;
    if (at - paused > STEP) {
      paused = at;
      yield;
    }
    // Shorter ones cannot have so many digits, nor such an exponent.
    if (at - start < 4) continue;
    const literal = text.slice(start, at + 1);
    const value = SUSPICIOUS.test(literal) ? exactNumber(literal) : undefined;
    if (!(value instanceof NumberLiteral)) continue;
    if (literals.length >= most) throw new RangeError(`more than ${most} numbers that a double cannot hold`);
    marked.push(text.slice(taken, start), `"${MARK}${literals.length}"`);
    literals.push(value);
    taken = at + 1;
  }
  return marked.join('') + text.slice(taken);
}

/** Characters read between two pauses. */
const STEP = 10_000;

const MARK = `${randomBytes(12).toString('base64')}:`;

/** Pauses after each container and each thousandth element. */
function* unmarked(value: unknown, literals: readonly NumberLiteral[]): Generator<undefined, unknown> {
  if (typeof value === 'string')
    return value.startsWith(MARK) ? literals[Number(value.slice(MARK.length))] : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) {
      const item: unknown = value[at];
      if (typeof item === 'object' || (typeof item === 'string' && item.startsWith(MARK)))
        value[at] = yield* unmarked(item, literals);
      if (at % 1_000 === 0) yield;
    }
    return value;
  }
  yield;
  for (const [key, inner] of Object.entries(value)) {
    const exact: unknown = yield* unmarked(inner, literals);
    // Assignment would set the prototype for a member named `__proto__`.
    if (exact !== inner) Object.defineProperty(value, key, { value: exact });
  }
  return value;
}

/** Letters of `true`, `false` and `null` count too, harmlessly. */
function isOfNumber(character: number): boolean {
  return (character >= 0x2b && character <= 0x39 && character !== COMMA) || (character | 0x20) === 0x65;
}

const COMMA = 0x2c;

/** JSON text without white space. */
export function jsonText(value: unknown): string {
  return write(value, COMPACT);
}

/**
 * The canonical text of a jsonb value, as PostgreSQL prints it (`{"a": 1, "bb": [2, 3]}`): members sorted (shorter keys
 * first, then by bytes), so that equal values are equal texts.
 */
export function canonicalJson(value: unknown): string {
  return write(value, CANONICAL);
}

/** By value: exactly, if one of them does not fit a double. */
export function compareJsonNumbers(a: number | NumberLiteral, b: number | NumberLiteral): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const [left, right] = [readDecimal(numberText(a)), readDecimal(numberText(b))];
  if (left === undefined || right === undefined) return Number(numberText(a)) - Number(numberText(b));
  return compareDecimals(left, right);
}

function numberText(value: number | NumberLiteral): string {
  return value instanceof NumberLiteral ? value.text : String(value);
}

interface Style {
  readonly comma: string;
  readonly colon: string;
  readonly keysOf: (object: object) => string[];
  readonly literal: (text: string) => string;
}

const COMPACT: Style = {
  comma: ',',
  colon: ':',
  keysOf: (object) => Object.keys(object),
  literal: (text) => text,
};
const CANONICAL: Style = {
  comma: ', ',
  colon: ': ',
  keysOf: (object) => Object.keys(object).sort(compareKeys),
  literal: canonicalNumber,
};

function write(value: unknown, style: Style): string {
  const pieces: string[] = [];
  writeInto(pieces, value, style);
  return pieces.join('');
}

function writeInto(pieces: string[], value: unknown, style: Style): void {
  // Half a million of them may come in one body.
  if (typeof value === 'number') pieces.push(Number.isFinite(value) ? String(value) : 'null');
  else if (value instanceof NumberLiteral) pieces.push(style.literal(value.text));
  else if (Array.isArray(value)) {
    pieces.push('[');
    for (let at = 0; at < value.length; at++) {
      if (at > 0) pieces.push(style.comma);
      writeInto(pieces, value[at], style);
    }
    pieces.push(']');
  } else if (typeof value === 'object' && value !== null) {
    pieces.push('{');
    for (const [at, key] of style.keysOf(value).entries()) {
      if (at > 0) pieces.push(style.comma);
      pieces.push(JSON.stringify(key), style.colon);
      writeInto(pieces, (value as Record<string, unknown>)[key], style);
    }
    pieces.push('}');
  } else pieces.push(JSON.stringify(value ?? null));
}

/** One text for equal numbers; plain, unless a large exponent would make it very long. */
function canonicalNumber(text: string): string {
  const decimal = readDecimal(text);
  if (decimal === undefined) return text;
  const { negative, digits, exponent } = decimal;
  if (Math.abs(exponent) <= MOST_ZEROS) return plainDecimal(decimal);
  const rest = digits.length > 1 ? `.${digits.slice(1)}` : '';
  return `${negative ? '-' : ''}${digits[0] ?? '0'}${rest}e${exponent > 0 ? '+' : ''}${exponent - 1}`;
}

const MOST_ZEROS = 400;

function compareKeys(a: string, b: string): number {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length - right.length || Buffer.compare(left, right);
}

/** Meaningful only for valid JSON. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) at = endOfString(text, at);
    else if (character === BRACKET || character === BRACE) {
      if (++depth > MAX_DEPTH) return true;
    } else if (character === BRACKET + 2 || character === BRACE + 2) depth--;
  }
  return false;
}

const QUOTE = 0x22;
/** The closing ones are the opening ones plus two. */
const BRACKET = 0x5b;
const BRACE = 0x7b;

function endOfString(text: string, open: number): number {
  let end = text.indexOf('"', open + 1);
  for (; ; end = text.indexOf('"', end + 1)) {
    if (end === -1) return text.length;
    let escapes = 0;
    while (text[end - 1 - escapes] === '\\') escapes++;
    if (escapes % 2 === 0) return end;
  }
}

function exactNumber(text: string): number | NumberLiteral {
  const value = Number(text);
  const digits = readDecimal(text)?.digits;
  const exact =
    digits !== undefined && digits.length <= 15 && Number.isFinite(value) && (value !== 0 || digits === '');
  return exact || String(value) === text ? value : new NumberLiteral(text);
}
