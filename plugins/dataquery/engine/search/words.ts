/** The words of a text, in lower case. */
export interface Word {
  readonly text: string;
  /** 1 for the first word of the text. */
  readonly position: number;
}

const WORD = /[\p{L}\p{N}\p{M}]+/gu;

/** PostgreSQL counts no further. */
const LAST_POSITION = 16_383;

export function* wordsOf(text: string): Generator<Word> {
  let position = 0;
  for (const [word] of text.toLowerCase().matchAll(WORD)) {
    position = Math.min(position + 1, LAST_POSITION);
    yield { text: word, position };
  }
}
