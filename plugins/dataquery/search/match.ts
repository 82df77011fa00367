/** Whether the lexemes of a document are what a search asks for. */
import type { SearchQuery } from './query.js';
import type { Place, Vector } from './vector.js';

export function matches(vector: Vector, query: SearchQuery): boolean {
  switch (query.kind) {
    case 'not':
      return !matches(vector, query.query);
    case 'and':
      return matches(vector, query.left) && matches(vector, query.right);
    case 'or':
      return matches(vector, query.left) || matches(vector, query.right);
    case 'phrase':
      return positions(vector, query).size > 0;
    case 'lexeme':
      return lexemesOf(vector, query).some(
        (places) => query.weights.length === 0 || places.some((place) => weighs(place, query.weights)),
      );
  }
}

/** Where the last word of what is found stands. In a phrase a negation has no place. */
function positions(vector: Vector, query: SearchQuery): Set<number> {
  switch (query.kind) {
    case 'not':
      return new Set();
    case 'and': {
      const right = positions(vector, query.right);
      return new Set([...positions(vector, query.left)].filter((position) => right.has(position)));
    }
    case 'or':
      return new Set([...positions(vector, query.left), ...positions(vector, query.right)]);
    case 'phrase': {
      const left = positions(vector, query.left);
      return new Set(
        [...positions(vector, query.right)].filter((position) => left.has(position - query.distance)),
      );
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

/** The places of the lexeme, with a prefix of all that begin with it. */
function lexemesOf(vector: Vector, { lexeme, prefix }: Lexeme): (readonly Place[])[] {
  if (prefix) return [...vector].flatMap(([known, places]) => (known.startsWith(lexeme) ? [places] : []));
  const places = vector.get(lexeme);
  return places === undefined ? [] : [places];
}
