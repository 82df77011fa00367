/**
 * The `select` parameter: columns, `*`, `count()`, embedded relations and spreads, nested to any depth.
 *
 * Text after the last readable item is ignored, as clients have come to rely on (`select=a,rel(b))` is
 * `select=a,rel(b)`); inside parentheses nothing is left over.
 */
import { readName, readSteps } from './names.js';
import type { Aggregate, ColumnItem, CountItem, EmbedItem, SelectItem } from './query.js';
import { isNameChar, MAX_DEPTH, Scanner } from './scanner.js';

const AGGREGATES: readonly Aggregate[] = ['sum', 'avg', 'count', 'max', 'min'];

export function parseSelect(text: string): SelectItem[] {
  const scan = new Scanner(text, `failed to parse select parameter (${text})`);
  scan.skipBlank();
  return scan.done ? [{ kind: 'star' }] : readItems(scan, 0);
}

function readItems(scan: Scanner, depth: number): SelectItem[] {
  if (depth > MAX_DEPTH) scan.fail(`embedded deeper than ${MAX_DEPTH} levels`);
  const items: SelectItem[] = [];
  do {
    scan.skipBlank();
    items.push(readItem(scan, depth));
    scan.skipBlank();
  } while (scan.take(','));
  return items;
}

function readItem(scan: Scanner, depth: number): SelectItem {
  if (scan.take('...', null)) return readEmbed(scan, undefined, readName(scan), true, depth);
  if (scan.take('*', null)) {
    needEnd(scan);
    return { kind: 'star' };
  }
  const first = readName(scan);
  const aliased = scan.peek() === ':' && scan.text[scan.at + 1] !== ':';
  if (aliased) {
    scan.at += 1;
    scan.skipBlank();
  }
  const alias = aliased ? first : undefined;
  const name = aliased ? readName(scan) : first;
  if (name === 'count' && scan.startsWith('()')) return readCount(scan, alias);
  if (scan.peek() === '(' || scan.peek() === '!') return readEmbed(scan, alias, name, false, depth);
  return readColumn(scan, alias, name);
}

function readCount(scan: Scanner, alias: string | undefined): CountItem {
  scan.need('()');
  const cast = readCast(scan);
  needEnd(scan);
  return { kind: 'count', alias, cast };
}

function readColumn(scan: Scanner, alias: string | undefined, name: string): ColumnItem {
  const steps = readSteps(scan);
  const cast = readCast(scan);
  const aggregate = readAggregate(scan);
  const aggregateCast = aggregate === undefined ? undefined : readCast(scan);
  needEnd(scan);
  return { kind: 'column', alias, field: { name, steps }, cast, aggregate, aggregateCast };
}

function readCast(scan: Scanner): string | undefined {
  return scan.take('::', null) ? readTypeName(scan) : undefined;
}

/** `integer`, `double precision`, `text[]`, `character(5)`. */
function readTypeName(scan: Scanner): string {
  const name = scan.takeWhile(isNameChar).trim();
  if (name === '') {
    scan.expect('letter, digit or "_"');
    scan.fail();
  }
  return scan.take('[]', null) ? `${name}[]` : name;
}

function readAggregate(scan: Scanner): Aggregate | undefined {
  if (scan.peek() !== '.') return undefined;
  const found = AGGREGATES.find((word) => scan.startsWith(`.${word}()`));
  if (found === undefined) {
    scan.at += 1;
    scan.expect('"sum", "avg", "count", "max" or "min"');
    scan.fail();
  }
  scan.at += found.length + 3;
  return found;
}

function readEmbed(
  scan: Scanner,
  alias: string | undefined,
  name: string,
  spread: boolean,
  depth: number,
): EmbedItem {
  let hint: string | undefined;
  let inner = false;
  for (let count = 0; count < 2 && scan.take('!'); count += 1) {
    const word = readName(scan);
    if (word === 'inner') inner = true;
    else if (word !== 'left') hint = word;
  }
  scan.skipBlank();
  scan.need('(');
  scan.skipBlank();
  const select = scan.peek() === ')' ? [] : readItems(scan, depth + 1);
  scan.need(')');
  return { kind: 'embed', alias, name, hint, inner, spread, select };
}

/** A column ends at a comma, a parenthesis or the end. */
function needEnd(scan: Scanner): void {
  scan.skipBlank();
  const next = scan.peek();
  if (next === undefined || next === ',' || next === ')') return;
  for (const word of ['","', '")"', 'end of input']) scan.expect(word);
  scan.fail();
}
