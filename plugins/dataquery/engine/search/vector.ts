/** The lexemes of a document with their positions: PostgreSQL's tsvector, and its literal `'cat':3A 'sat':4`. */
import { errors } from '../base/errors.js';
import { compareText } from '../base/text-order.js';
import type { Configuration } from './words.js';

export interface Place {
  readonly position: number;
  readonly weight: Weight;
}

export type Weight = 'A' | 'B' | 'C' | 'D';

/** By lexeme, the positions in ascending order; none if they are unknown. */
export type Vector = ReadonlyMap<string, readonly Place[]>;

/** Characters of a document that are searched. A row is processed in one go; PostgreSQL has a limit of 1 MB, too. */
const MOST_SEARCHED = 100_000;

export function vectorOf(texts: readonly string[], configuration: Configuration): Vector {
  const vector = new Map<string, Place[]>();
  let before = 0;
  let left = MOST_SEARCHED;
  for (const text of texts) {
    let last = 0;
    for (const { text: lexeme, position } of configuration.lexemes(text.slice(0, left))) {
      last = position;
      if (lexeme === undefined) continue;
      const places = vector.get(lexeme);
      const place: Place = { position: before + position, weight: 'D' };
      if (places === undefined) vector.set(lexeme, [place]);
      else places.push(place);
    }
    left -= Math.min(left, text.length);
    // No phrase spans two texts.
    before += last + 1;
  }
  return vector;
}

function addPlaces(vector: Map<string, Place[]>, lexeme: string, added: Place[]): void {
  const places = vector.get(lexeme);
  if (places === undefined) vector.set(lexeme, added);
  else for (const place of added) places.push(place);
}

/** One lexeme of a literal, quoted or bare, with its positions. */
const LEXEME =
  /\s*(?:'((?:[^'\\]|''|\\.)*)'|((?:[^\s':\\]|\\.)+))(?::(\d+[A-Da-d]?(?:,\d+[A-Da-d]?)*))?(?=\s|$)\s*/sy;

/** Throws 42601. */
export function parseVector(text: string): Vector {
  const vector = new Map<string, Place[]>();
  LEXEME.lastIndex = 0;
  const end = text.trimEnd().length;
  for (let at = 0; at < end; at = LEXEME.lastIndex) {
    LEXEME.lastIndex = at;
    const match = LEXEME.exec(text);
    if (match === null) throw errors['42601']({ message: `syntax error in tsvector: "${text}"` });
    const lexeme =
      match[1]?.replace(/''|\\(.)/gs, (_, escaped: string | undefined) => escaped ?? "'") ?? bare(match[2]);
    addPlaces(vector, lexeme, match[3] === undefined ? [] : placesOf(match[3]));
  }
  return vector;
}

function bare(text = ''): string {
  return text.replace(/\\(.)/gs, '$1');
}

function placesOf(text: string): Place[] {
  return text.split(',').map((one) => ({
    position: Number.parseInt(one, 10),
    weight: (/[A-D]$/i.exec(one)?.[0].toUpperCase() ?? 'D') as Weight,
  }));
}

/** Lexemes sorted, each quoted; of two weights at one position the higher counts. */
export function vectorText(vector: Vector): string {
  return [...vector]
    .toSorted(([a], [b]) => compareText(a, b))
    .map(([lexeme, places]) => `'${lexeme.replace(/['\\]/g, '$&$&')}'${placesText(places)}`)
    .join(' ');
}

function placesText(places: readonly Place[]): string {
  if (places.length === 0) return '';
  const sorted = places.toSorted((a, b) => a.position - b.position || (a.weight < b.weight ? -1 : 1));
  const distinct = sorted.filter(({ position }, at) => position !== sorted[at - 1]?.position);
  return `:${distinct.map(({ position, weight }) => `${position}${weight === 'D' ? '' : weight}`).join(',')}`;
}
