/** Whether the lexemes of a document match a search. */
import type { SearchQuery } from './query.js';
import type { Place, Vector } from './vector.js';

export function matches(vector: Vector, query: SearchQuery): boolean {
  switch (query.kind) {
    case 'not':
      return !matches(vector, query.query);
    case 'and':
      return query.queries.every((part) => matches(vector, part));
    case 'or':
      return query.queries.some((part) => matches(vector, part));
    case 'phrase':
      return positions(vector, query).size > 0;
    case 'lexeme':
      return lexemesOf(vector, query).some(
        (places) => query.weights.length === 0 || places.some((place) => weighs(place, query.weights)),
      );
  }
}

/** Positions of the last word of each match; a negation has none. */
function positions(vector: Vector, query: SearchQuery): Set<number> {
  switch (query.kind) {
    case 'not':
      return new Set();
    case 'and':
      return query.queries
        .map((part) => positions(vector, part))
        .reduce((all, some) => new Set([...all].filter((position) => some.has(position))));
    case 'or':
      return new Set(query.queries.flatMap((part) => [...positions(vector, part)]));
    case 'phrase': {
      let ends = positions(vector, query.first);
      for (const { query: next, distance } of query.rest) {
        if (ends.size === 0) return ends;
        const before = ends;
        ends = new Set([...positions(vector, next)].filter((position) => before.has(position - distance)));
      }
      return ends;
    }
    case 'lexeme':
      return new Set(
        lexemesOf(vector, query)
          .flat()
          .filter((place) => query.weights.length === 0 || weighs(place, query.weights))
          .map(({ position }) => position),
      );
  }
}

type Lexeme = Extract<SearchQuery, { kind: 'lexeme' }>;

function weighs({ weight }: Place, weights: Lexeme['weights']): boolean {
  return weights.includes(weight);
}

/** The lexeme's positions, or those of all with the prefix. */
function lexemesOf(vector: Vector, { lexeme, prefix }: Lexeme): (readonly Place[])[] {
  if (prefix) return [...vector].flatMap(([known, places]) => (known.startsWith(lexeme) ? [places] : []));
  const places = vector.get(lexeme);
  return places === undefined ? [] : [places];
}
