/** The `order` parameter: `name.desc.nullslast,relation(column),settings->rank`. */
import { readField, readName, readSteps } from './names.js';
import type { Field, OrderTerm } from './query.js';
import { MAX_DEPTH, Scanner } from './scanner.js';

export function parseOrder(text: string): OrderTerm[] {
  const scan = new Scanner(text, `failed to parse order (${text})`);
  const terms: OrderTerm[] = [];
  do {
    scan.skipBlank();
    terms.push(readTerm(scan));
    scan.skipBlank();
  } while (scan.take(','));
  if (!scan.done) {
    scan.expect('end of input');
    scan.fail();
  }
  return terms;
}

function readTerm(scan: Scanner): OrderTerm {
  const { relations, field } = readTarget(scan);
  const descending = readDirection(scan);
  const nulls = readNulls(scan);
  return { relations, field, descending: descending ?? false, nulls };
}

/** `column`, or `relation(column)`, or several levels down: `relation(other(column))`. */
function readTarget(scan: Scanner): { relations: string[]; field: Field } {
  const relations: string[] = [];
  for (;;) {
    const name = readName(scan);
    scan.skipBlank();
    if (!scan.take('(', null)) {
      const field = { name, steps: readSteps(scan) };
      for (let open = relations.length; open > 0; open -= 1) {
        scan.skipBlank();
        scan.need(')');
      }
      return { relations, field };
    }
    if (relations.length >= MAX_DEPTH) scan.fail(`nested deeper than ${MAX_DEPTH} levels`);
    relations.push(name);
    scan.skipBlank();
  }
}

function readDirection(scan: Scanner): boolean | undefined {
  if (scan.take('.asc', null)) return false;
  return scan.take('.desc', null) ? true : undefined;
}

function readNulls(scan: Scanner): 'first' | 'last' | undefined {
  if (scan.take('.nullsfirst', null)) return 'first';
  if (scan.take('.nullslast', null)) return 'last';
  if (scan.peek() === '.') {
    scan.at += 1;
    for (const word of ['"asc"', '"desc"', '"nullsfirst"', '"nullslast"']) scan.expect(word);
    scan.fail();
  }
  return undefined;
}

/** `columns=` and `on_conflict=`: names joined by commas. */
export function parseNames(parameter: 'columns' | 'on_conflict', text: string): string[] {
  const scan = new Scanner(text, `failed to parse ${parameter} parameter (${text})`);
  const names: string[] = [];
  do {
    scan.skipBlank();
    names.push(readName(scan));
    scan.skipBlank();
  } while (scan.take(','));
  if (!scan.done) {
    scan.expect('end of input');
    scan.fail();
  }
  return names;
}

/** The key of a filter: `level.level.column->key`. */
export function parsePath(text: string): { path: string[]; field: Field } {
  const scan = new Scanner(text, `failed to parse tree path (${text})`);
  const path: string[] = [];
  for (;;) {
    scan.skipBlank();
    const field = readField(scan);
    scan.skipBlank();
    if (field.steps.length > 0 || scan.done) {
      if (!scan.done) {
        scan.expect('end of input');
        scan.fail();
      }
      return { path, field };
    }
    scan.need('.', 'delimiter (.)');
    path.push(field.name);
  }
}
