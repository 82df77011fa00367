/** A caller's own readings of words, applied before all rules. */

export interface DictionaryEntry {
  readonly written: string;
  /** Hangul and spaces. */
  readonly spoken: string;
}

export class Dictionary {
  readonly #entries: ReadonlyMap<string, DictionaryEntry>;
  /** Longest first. */
  readonly #lengths: readonly number[];

  constructor(entries: readonly DictionaryEntry[]) {
    this.#entries = new Map(entries.map((entry) => [entry.written, entry]));
    this.#lengths = [...new Set(entries.map(({ written }) => written.length))].toSorted((a, b) => b - a);
  }

  /** The longest entry at `at`, a word start; one that ends in a Latin letter or digit must end the word. */
  entryAt(text: string, at: number): DictionaryEntry | undefined {
    for (const length of this.#lengths) {
      const entry = this.#entries.get(text.slice(at, at + length));
      if (entry !== undefined && !(isLatin(text, at + length - 1) && isLatin(text, at + length)))
        return entry;
    }
    return undefined;
  }
}

export function isWordStart(text: string, at: number): boolean {
  if (at === 0) return true;
  if (isLatin(text, at)) return !isLatin(text, at - 1);
  return !/[\p{L}\p{N}]/u.test(text.charAt(at - 1));
}

function isLatin(text: string, at: number): boolean {
  return /[0-9A-Za-z]/.test(text.charAt(at));
}
