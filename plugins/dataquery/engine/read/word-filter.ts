/** A search as a filter on stored lexemes: exact, or as much of it as they can decide. */
import type { SearchQuery } from '../search/query.js';
import { LONGEST_WORD, shortened } from '../words/word-index.js';
import { allOf, anyOf, noneOf, NOTHING, onField, type RowFilter } from './row-filter.js';

export interface WordFilter {
  readonly filter: RowFilter;
  /** Whether all rows that pass match the search. */
  readonly exact: boolean;
}

const ANYTHING: WordFilter = { filter: {}, exact: false };

/** An empty search matches nothing. */
export function wordFilter(member: string, query: SearchQuery | undefined): WordFilter {
  if (query === undefined) return { filter: NOTHING, exact: true };
  switch (query.kind) {
    case 'lexeme': {
      const { lexeme, prefix, weights } = query;
      const word = shortened(lexeme);
      return {
        filter: onField(member, prefix ? { $regex: beginningWith(word) } : word),
        exact: weights.length === 0 && word.length < LONGEST_WORD,
      };
    }
    case 'not': {
      const inner = wordFilter(member, query.query);
      return inner.exact ? { filter: noneOf([inner.filter]), exact: true } : ANYTHING;
    }
    case 'and':
    case 'or': {
      const parts = query.queries.map((part) => wordFilter(member, part));
      const filters = parts.map(({ filter }) => filter);
      return {
        filter: query.kind === 'and' ? allOf(filters) : anyOf(filters),
        exact: parts.every(({ exact }) => exact),
      };
    }
    case 'phrase': {
      const parts = [query.first, ...query.rest.map((one) => one.query)];
      return { filter: allOf(parts.map((part) => wordFilter(member, part).filter)), exact: false };
    }
  }
}

function beginningWith(word: string): RegExp {
  return new RegExp(`^${word.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')}`);
}
