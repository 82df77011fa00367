/**
 * The index of full text search: next to a column that declares one, a row keeps the list of the column's lexemes,
 * which storage indexes.
 */
import { errors } from '../base/errors.js';
import type { Column, Relation } from '../catalog/model.js';
import { configurationNamed } from '../search/configuration.js';
import type { Stored, StoredRow } from '../values/stored.js';
import { vectorIn } from './document.js';

/** Longer words are stored by their prefixes; matches of a prefix are checked again. */
export const LONGEST_WORD = 100;
/** MongoDB allows at most twice as many index entries per document. */
const MOST_WORDS = 50_000;

// No column's member begins so.
const WORDS = '_words_';

export function isWordsMember(name: string): boolean {
  return name.startsWith(WORDS);
}

/** The member of a row that holds the lexemes; undefined for a column without such an index. */
export function wordsMember({ search, field }: Pick<Column, 'search' | 'field'>): string | undefined {
  return search === undefined ? undefined : `${WORDS}${search}_${field}`;
}

export function searchedColumns({ columns }: Relation): Column[] {
  return [...columns.values()].filter(({ search }) => search !== undefined);
}

/** Each lexeme once. Throws 54000 for too many. */
export function lexemesOf({ name, type, search }: Column, value: Stored): string[] {
  const vector = vectorIn(type, configurationNamed(search))?.(value);
  const lexemes = new Set([...(vector?.keys() ?? [])].map(shortened));
  if (lexemes.size > MOST_WORDS) {
    throw errors['54000']({
      message: `the column "${name}" has an index of at most ${MOST_WORDS} words a row`,
    });
  }
  return [...lexemes];
}

export function shortened(lexeme: string): string {
  return lexeme.slice(0, LONGEST_WORD);
}

/** The row as it is stored. */
export function withWords(columns: readonly Column[], row: StoredRow): StoredRow {
  const words: Record<string, Stored | undefined> = {};
  for (const column of columns) {
    const value = row[column.field] ?? null;
    words[wordsMember(column)!] = value === null ? undefined : lexemesOf(column, value);
  }
  return { ...row, ...words };
}
