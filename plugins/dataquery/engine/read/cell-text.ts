/** Cells of a row as JSON text, and the objects made of them. */
import type { Level, Output } from '../plan/level.js';
import type { Value } from '../plan/value.js';
import type { Stored, StoredRow } from '../values/stored.js';
import { stripNulls } from './strip-nulls.js';

/** The JSON text of one cell of a row, or of the whole row. */
export type TextOf = (row: StoredRow) => string;

export interface RenderOptions {
  /** Leave out members that are null, at every depth. */
  readonly stripNulls: boolean;
  /** Inside a row: documents are spaced as PostgreSQL prints jsonb, as in an embed. */
  readonly embedded?: boolean;
}

interface Separators {
  readonly comma: string;
  readonly colon: string;
}

const COMPACT: Separators = { comma: ',', colon: ':' };
const SPACED: Separators = { comma: ', ', colon: ': ' };

export function separators({ embedded, stripNulls }: RenderOptions): Separators {
  return embedded === true && !stripNulls ? SPACED : COMPACT;
}

/** `"id":`, `,"title":` and so on. */
export function memberNames({ keys }: Level, options: RenderOptions): string[] {
  const { comma, colon } = separators(options);
  return keys.map((key, at) => `${at === 0 ? '' : comma}${JSON.stringify(key)}${colon}`);
}

export function objectOf(names: readonly string[], cells: readonly string[], options: RenderOptions): string {
  const members = cells.map((cell, at) => (options.stripNulls && cell === 'null' ? '' : names[at]! + cell));
  return `{${members.join('').replace(/^,/, '')}}`;
}

export function ownText(item: Output, options: RenderOptions): TextOf {
  if (item.kind !== 'value') throw new TypeError('an aggregate has no text of its own');
  const { type, plain, field } = item.value;
  const absent = type.nullToJson?.() ?? 'null';
  if (options.stripNulls && type.family === 'json') {
    return textOf(item.value, (stored) => stripNulls(type.toJson(stored)), absent);
  }
  if (!plain) return textOf(item.value, (stored) => type.toJson(stored), absent);
  // The same without a call to read the member: this runs for every cell of every response.
  return (row) => {
    const stored = row[field];
    return stored === undefined || stored === null ? absent : type.toJson(stored);
  };
}

function textOf(value: Value, print: (stored: Stored) => string, absent: string): TextOf {
  return (row) => {
    const stored = value.read(row);
    return stored === null ? absent : print(stored);
  };
}

/** The objects of groups, from the texts of their cells. */
export function objectsOf(
  level: Level,
  groups: readonly (readonly string[])[],
  options: RenderOptions,
): string[] {
  const names = memberNames(level, options);
  return groups.map((cells) => objectOf(names, cells, options));
}
