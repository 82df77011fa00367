/** A logic tree: `or=(id.eq.1,not.and(a.gt.2,b.is.null))`. */
import { FIELD_NAME, readField } from './names.js';
import { readItem, readOperation, tryQuoted } from './operation.js';
import type { ConditionTerm, LogicTerm } from './query.js';
import { MAX_DEPTH, Scanner } from './scanner.js';

const NEGATION = 'negation operator (not)';
const LOGIC = 'logic operator (and, or)';

/** `op` is the parameter's own operator, `text` what follows the `=`. */
export function parseLogic(op: 'and' | 'or', negated: boolean, text: string): LogicTerm {
  const scan = new Scanner(`${op}${text}`, `failed to parse logic tree (${text})`);
  scan.at = op.length;
  return { kind: 'logic', op, negated, terms: readTerms(scan, 0) };
}

function readTerms(scan: Scanner, depth: number): ConditionTerm[] {
  if (depth > MAX_DEPTH) scan.fail(`nested deeper than ${MAX_DEPTH} levels`);
  scan.skipBlank();
  scan.need('(');
  const terms: ConditionTerm[] = [];
  do {
    scan.skipBlank();
    terms.push(readTerm(scan, depth));
    scan.skipBlank();
  } while (scan.take(','));
  scan.need(')');
  return terms;
}

function readTerm(scan: Scanner, depth: number): ConditionTerm {
  const nested = /^(not\.)?(and|or)[ \t]*\(/.exec(scan.text.slice(scan.at, scan.at + 12));
  if (nested !== null) {
    const [, not, op] = nested;
    scan.at += (not?.length ?? 0) + op!.length;
    return {
      kind: 'logic',
      op: op as 'and' | 'or',
      negated: not !== undefined,
      terms: readTerms(scan, depth + 1),
    };
  }
  if (scan.done || ',()'.includes(scan.peek()!)) {
    for (const what of [FIELD_NAME, NEGATION, LOGIC]) scan.expect(what);
    scan.fail();
  }
  const field = readField(scan);
  scan.need('.', 'delimiter (.)');
  return { kind: 'filter', field, ...readOperation(scan, readValue) };
}

/** Up to the comma or parenthesis that ends the item; `"..."` may hold both, and `{...}` is kept whole. */
function readValue(scan: Scanner): string {
  return tryQuoted(scan) ?? tryArray(scan) ?? readItem(scan);
}

function tryArray(scan: Scanner): string | undefined {
  if (scan.peek() !== '{') return undefined;
  const start = scan.at;
  let depth = 0;
  for (let at = start; at < scan.text.length; at += 1) {
    const char = scan.text[at];
    if (char === '\\') at += 1;
    else if (char === '"') at = skipQuoted(scan.text, at);
    else if (char === '{') depth += 1;
    else if (char === '}' && (depth -= 1) === 0) {
      scan.at = at + 1;
      return scan.text.slice(start, scan.at);
    }
  }
  return undefined;
}

function skipQuoted(text: string, open: number): number {
  let at = open + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}
