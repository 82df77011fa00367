/** Names and fields: `name`, `"any text"`, `with-dash`, `column->key->>0`. */
import type { Field, JsonStep } from './query.js';
import { isNameChar, type Scanner } from './scanner.js';

export const FIELD_NAME = 'field name (* or [a..z0..9_$])';

/** A name, trimmed at both ends. A dash belongs to it unless it begins an arrow. */
export function readName(scan: Scanner, expectation: string = FIELD_NAME): string {
  if (scan.peek() === '"') return readQuoted(scan);
  const name = takeName(scan);
  if (name === '') {
    scan.expect(expectation);
    scan.fail();
  }
  return name;
}

function takeName(scan: Scanner): string {
  const start = scan.at;
  for (;;) {
    const part = scan.takeWhile(isNameChar);
    const dash = scan.peek() === '-' && scan.text[scan.at + 1] !== '>';
    if (part === '' || !dash || !isNameChar(scan.text[scan.at + 1] ?? '-')) break;
    scan.at += 1;
  }
  return scan.text.slice(start, scan.at).trim();
}

/** `"..."`; a backslash takes the next character as it is. */
export function readQuoted(scan: Scanner): string {
  scan.need('"');
  let value = '';
  for (;;) {
    const char = scan.peek();
    if (char === undefined) {
      scan.expect('"\\""');
      scan.fail();
    }
    scan.at += 1;
    if (char === '"') return value;
    if (char !== '\\') {
      value += char;
      continue;
    }
    const escaped = scan.peek();
    if (escaped === undefined) scan.fail('unexpected end of input');
    value += escaped;
    scan.at += 1;
  }
}

export function readField(scan: Scanner): Field {
  const name = readName(scan);
  return { name, steps: readSteps(scan) };
}

/** `->key->>0`, or nothing. */
export function readSteps(scan: Scanner): JsonStep[] {
  const steps: JsonStep[] = [];
  while (scan.startsWith('->')) {
    const text = scan.startsWith('->>');
    scan.at += text ? 3 : 2;
    steps.push({ text, key: readStepKey(scan) });
  }
  return steps;
}

function readStepKey(scan: Scanner): string | number {
  const index = /^-?\d{1,20}(?=->|::|[.,)(]|\s{0,20}$)/.exec(scan.text.slice(scan.at, scan.at + 20));
  if (index !== null) {
    scan.at += index[0].length;
    return Number(index[0]);
  }
  if (scan.peek() === '"') return readQuoted(scan);
  const start = scan.at;
  scan.takeWhile((char) => !RESERVED.has(char));
  // A dash belongs to the key unless it begins an arrow.
  while (scan.peek() === '-' && scan.text[scan.at + 1] !== '>') {
    scan.at += 1;
    scan.takeWhile((char) => !RESERVED.has(char));
  }
  const key = scan.text.slice(start, scan.at).trim();
  if (key !== '') return key;
  scan.expect('any non reserved character different from: .,>()');
  return scan.fail();
}

const RESERVED: ReadonlySet<string> = new Set('(-:.,>)');
