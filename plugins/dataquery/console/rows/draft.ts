/** A row being edited in the form: untouched fields are not sent. */
import { textOf } from '../values.js';
import type { Row } from '../table/grid.js';
import type { Column } from '../tables.js';

/** `untouched`: the default of a new row, the stored value of another. */
export type Entry =
  | { readonly kind: 'untouched' }
  | { readonly kind: 'null' }
  | { readonly kind: 'text'; readonly text: string };

export type Draft = Readonly<Record<string, Entry>>;

export function entryOf(draft: Draft, name: string): Entry {
  return draft[name] ?? { kind: 'untouched' };
}

/** What the field shows. */
export function shownText(entry: Entry, row: Row | undefined, name: string): string {
  if (entry.kind === 'text') return entry.text;
  const value = row?.[name];
  return entry.kind === 'null' || value === null || value === undefined ? '' : textOf(value);
}

/** The request body. A text that is no value of the type is sent unchanged: the server says what is wrong. */
export function bodyOf(draft: Draft, columns: readonly Column[]): Record<string, unknown> {
  return Object.fromEntries(
    columns.flatMap(({ name, kind }): [string, unknown][] => {
      const entry = entryOf(draft, name);
      if (entry.kind === 'untouched') return [];
      return [[name, entry.kind === 'null' ? null : valueOf(entry.text, kind)]];
    }),
  );
}

function valueOf(text: string, kind: Column['kind']): unknown {
  if (kind === 'text') return text;
  // A number that a double cannot hold keeps its digits as a text.
  if (kind === 'number')
    return text.trim() !== '' && String(Number(text)) === text.trim() ? Number(text) : text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
