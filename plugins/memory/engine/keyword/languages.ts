/** Number of documents per language in a pool. */
import { DEFAULT_LANGUAGE, type Language } from '../analyzer/language.js';

/** A language with a smaller share is a misdetection, or too rare to stem every query for. */
const LEAST_SHARE = 0.05;
const MOST_LANGUAGES = 3;

export class Languages {
  readonly #counts = new Map<Language, number>();

  /** A text of unknown language was stemmed in the default one. */
  count(language: Language | undefined, step: 1 | -1): void {
    const key = language ?? DEFAULT_LANGUAGE;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + step);
  }

  /** Most frequent first. */
  among(documents: number): Language[] {
    return [...this.#counts]
      .filter(([, count]) => count > 0 && count >= LEAST_SHARE * documents)
      .sort((a, b) => b[1] - a[1])
      .slice(0, MOST_LANGUAGES)
      .map(([language]) => language);
  }
}
