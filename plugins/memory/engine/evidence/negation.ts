/** Negation words. */
import negations from '../analyzer/negations.json' with { type: 'json' };

/** Of all languages: a word that negates in one counts in all. */
const NEGATIONS: ReadonlySet<string> = new Set(Object.values(negations).flat());

/** In lower case, in text order. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

export function negationsIn(words: readonly string[]): number {
  return words.filter((word) => NEGATIONS.has(word)).length;
}
