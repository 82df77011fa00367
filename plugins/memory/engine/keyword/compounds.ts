/**
 * Compound words and their parts: a query for "Pumpe" finds "Wärmepumpe", and one for "Wärmepumpe" finds "Pumpe". The
 * entries are the dictionary: a part counts if it is a term of theirs.
 */
import type { Language } from '../analyzer/language.js';

const COMPOUNDING: ReadonlySet<Language | undefined> = new Set<Language>([
  'german',
  'dutch',
  'swedish',
  'danish',
  'norwegian',
]);

/** Minimum letters of a part, of the rest of the compound, and of the compound. */
const PART = 3;
const REST = 3;
const COMPOUND = 7;
/** Endings that the stemmer removes from a compound but not from its last part, which is shorter. */
const LEFT_ENDING = /(?<=.{4})(?:ung|heit|keit|isch|lich|ig|end)$/;
/** Limits per query word: terms examined, and terms used. */
const MOST_LOOKED_AT = 2000;
const MOST_TAKEN = 50;

export class Compounds {
  /** Terms by their first and by their last letters. */
  readonly #beginnings = new Map<string, Set<string>>();
  readonly #ends = new Map<string, Set<string>>();

  /** Whether the language writes compounds as one word. */
  static in(language: Language | undefined): boolean {
    return COMPOUNDING.has(language);
  }

  add(term: string): void {
    if (term.length < COMPOUND) return;
    put(this.#beginnings, term.slice(0, PART), term);
    put(this.#ends, term.slice(-PART), term);
  }

  delete(term: string): void {
    if (term.length < COMPOUND) return;
    take(this.#beginnings, term.slice(0, PART), term);
    take(this.#ends, term.slice(-PART), term);
  }

  /**
   * Compounds that begin or end with the term, and known terms that the term begins or ends with. Decrements `looks`,
   * the budget shared by all words of a query.
   */
  related(term: string, isKnown: (part: string) => boolean, looks: { left: number }): string[] {
    if (term.length < PART || this.#ends.size === 0) return [];
    const found = new Set<string>();
    let looked = 0;
    const most = Math.min(MOST_LOOKED_AT, looks.left);
    const take = (
      among: ReadonlySet<string> | undefined,
      part: string,
      fits: (compound: string) => boolean,
    ) => {
      for (const compound of among ?? []) {
        if (found.size >= MOST_TAKEN || ++looked > most) return;
        if (compound.length >= part.length + REST && fits(compound)) found.add(compound);
      }
    };
    for (const end of new Set([term, term.replace(LEFT_ENDING, '')])) {
      take(this.#ends.get(end.slice(-PART)), end, (compound) => compound.endsWith(end));
    }
    take(this.#beginnings.get(term.slice(0, PART)), term, (compound) => compound.startsWith(term));
    if (term.length >= COMPOUND && term.length <= MOST_TAKEN) {
      for (let length = PART; length <= term.length - REST; length++) {
        for (const part of [term.slice(0, length), term.slice(-length)]) if (isKnown(part)) found.add(part);
      }
    }
    looks.left -= Math.min(looked, most);
    return [...found];
  }
}

function put(map: Map<string, Set<string>>, key: string, term: string): void {
  const terms = map.get(key);
  if (terms === undefined) map.set(key, new Set([term]));
  else terms.add(term);
}

function take(map: Map<string, Set<string>>, key: string, term: string): void {
  const terms = map.get(key);
  terms?.delete(term);
  if (terms?.size === 0) map.delete(key);
}
