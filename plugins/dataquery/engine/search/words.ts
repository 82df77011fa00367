/** The words of a text, in lower case. */
export interface Word {
  readonly text: string;
  /** 1 for the first word of the text. */
  readonly position: number;
}

const WORD = /[\p{L}\p{N}\p{M}]+/gu;

/** PostgreSQL counts no further. */
const LAST_POSITION = 16_383;

export function wordsOf(text: string): Word[] {
  return [...text.toLowerCase().matchAll(WORD)].map(([word], at) => ({
    text: word,
    position: Math.min(at + 1, LAST_POSITION),
  }));
}
