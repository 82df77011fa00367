/** What follows the name in a filter: `not.op.value`, `in.(a,b)`, `is.null`, `like(any).{a,b}`. */
import { readQuoted } from './names.js';
import type { CompareOperator, CountOperator, Operation, TruthValue } from './query.js';
import type { Scanner } from './scanner.js';

const COMPARE: ReadonlySet<string> = new Set<CompareOperator>([
  'eq',
  'neq',
  'gt',
  'gte',
  'lt',
  'lte',
  'like',
  'ilike',
  'match',
  'imatch',
  'cs',
  'cd',
  'ov',
  'sl',
  'sr',
  'nxr',
  'nxl',
  'adj',
]);
const QUANTIFIED: ReadonlySet<string> = new Set<CompareOperator>([
  'eq',
  'gt',
  'gte',
  'lt',
  'lte',
  'like',
  'ilike',
  'match',
  'imatch',
]);
const SEARCH: ReadonlySet<string> = new Set(['fts', 'plfts', 'phfts', 'wfts']);
const TRUTH_VALUES: readonly TruthValue[] = ['not_null', 'null', 'true', 'false', 'unknown'];

const OPERATOR = 'operator (eq, gt, ...)';

export interface NegatableOperation {
  readonly negated: boolean;
  readonly operation: Operation;
}

/** `readValue` reads a single operand: to the end of the parameter, or to the end of an item in a logic tree. */
export function readOperation(scan: Scanner, readValue: (scan: Scanner) => string): NegatableOperation {
  const negated = scan.take('not.', '"not"');
  const start = scan.at;
  const word = scan.takeWhile(isLowerCase);
  if (word === 'in' && scan.take('.', null))
    return { negated, operation: { kind: 'in', values: readList(scan) } };
  if (word === 'is' && scan.take('.', null))
    return { negated, operation: { kind: 'is', value: readTruthValue(scan) } };
  if (word === 'isdistinct' && scan.take('.', null)) {
    return { negated, operation: { kind: 'isdistinct', value: readValue(scan) } };
  }
  if (word === 'count' && scan.take('.', null)) return { negated, operation: readCount(scan) };
  if (SEARCH.has(word)) {
    const language = readLanguage(scan);
    scan.need('.', 'delimiter (.)');
    return {
      negated,
      operation: { kind: 'search', mode: word as 'fts', language, value: readValue(scan) },
    };
  }
  if (!COMPARE.has(word)) refuseOperator(scan, start);
  const quantifier = QUANTIFIED.has(word) ? readQuantifier(scan) : undefined;
  if (scan.peek() !== '.') refuseOperator(scan, start);
  scan.at += 1;
  return {
    negated,
    operation: { kind: 'compare', op: word as CompareOperator, quantifier, value: readValue(scan) },
  };
}

const COUNT_OPERATORS: readonly CountOperator[] = ['eq', 'neq', 'gte', 'gt', 'lte', 'lt'];

/** `gte.3`, after `count.`. */
function readCount(scan: Scanner): Operation {
  const op = COUNT_OPERATORS.find((word) => scan.take(`${word}.`, null));
  if (op === undefined) {
    scan.expect('"eq", "neq", "gt", "gte", "lt" or "lte"');
    scan.fail();
  }
  const digits = scan.takeWhile((char) => char >= '0' && char <= '9');
  const next = scan.peek();
  if (digits === '' || digits.length > 15 || (next !== undefined && next !== ',' && next !== ')')) {
    scan.expect('a number of rows');
    scan.fail();
  }
  return { kind: 'count', op, value: Number(digits) };
}

function refuseOperator(scan: Scanner, start: number): never {
  scan.at = start;
  scan.expect(OPERATOR);
  scan.fail();
}

function readQuantifier(scan: Scanner): 'any' | 'all' | undefined {
  if (scan.take('(any)', null)) return 'any';
  return scan.take('(all)', null) ? 'all' : undefined;
}

function readLanguage(scan: Scanner): string | undefined {
  if (!scan.take('(', null)) return undefined;
  const language = scan.takeWhile((char) => char !== ')').trim();
  scan.need(')');
  return language;
}

/** Case-insensitive; the word ends the item. */
function readTruthValue(scan: Scanner): TruthValue {
  const word = scan.text.slice(scan.at, scan.at + 8).toLowerCase();
  const found = TRUTH_VALUES.find((value) => word.startsWith(value) && endsItem(scan, value.length));
  if (found === undefined) {
    scan.expect('isVal: (null, not_null, true, false, unknown)');
    scan.fail();
  }
  scan.at += found.length;
  return found;
}

function endsItem(scan: Scanner, length: number): boolean {
  const next = scan.text[scan.at + length];
  return next === undefined || next === ',' || next === ')' || next === ' ';
}

/** `(a,"b,c",d)`. A single empty item is the empty list. */
function readList(scan: Scanner): string[] {
  scan.skipBlank();
  scan.need('(');
  scan.skipBlank();
  const values: string[] = [];
  do values.push(readItem(scan));
  while (scan.take(','));
  scan.need(')');
  return values.length === 1 && values[0]!.trim() === '' ? [] : values;
}

/** A quoted item is quoted only if it ends with its quote: `"a"b` is taken verbatim. */
export function readItem(scan: Scanner): string {
  return tryQuoted(scan) ?? scan.takeWhile((char) => char !== ',' && char !== ')');
}

export function tryQuoted(scan: Scanner): string | undefined {
  if (scan.peek() !== '"') return undefined;
  const start = scan.at;
  const close = closingQuote(scan.text, start);
  const next = scan.text[close + 1];
  if (close < 0 || (next !== undefined && next !== ',' && next !== ')')) return undefined;
  return readQuoted(scan);
}

function closingQuote(text: string, open: number): number {
  for (let at = open + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at;
  }
  return -1;
}

function isLowerCase(char: string): boolean {
  return char >= 'a' && char <= 'z';
}
