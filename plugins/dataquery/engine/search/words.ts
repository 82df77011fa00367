/** A text search configuration: how texts become lexemes, and searches the words they ask for. */

export interface Configuration {
  /** Of a document, in its order. */
  readonly lexemes: (text: string) => Iterable<Lexeme>;
  /** The words of a search, without stop words. `prefix`: match words that begin with them. */
  readonly asked: (text: string, prefix: boolean) => Iterable<AskedWord>;
}

export interface Lexeme {
  /** Undefined for a stop word. */
  readonly text: string | undefined;
  /** 1 for the first word of the text. */
  readonly position: number;
}

export interface AskedWord {
  /** Alternatives, any of which matches: lexemes in sequence. */
  readonly spellings: readonly (readonly AskedLexeme[])[];
  /** Of its last lexeme. */
  readonly position: number;
}

export interface AskedLexeme {
  readonly text: string;
  /** From the lexeme before it. */
  readonly distance: number;
  /** Whether it matches all lexemes that begin with it. */
  readonly prefix: boolean;
}

const WORD = /[\p{L}\p{N}\p{M}]+/gu;

/** PostgreSQL's limit. */
const LAST_POSITION = 16_383;

/** A configuration in which each word is one lexeme, or none. */
export function wordByWord(lexemeOf: (word: string) => string | undefined): Configuration {
  function* lexemes(text: string): Generator<Lexeme> {
    let position = 0;
    for (const [word] of text.toLowerCase().matchAll(WORD)) {
      position = Math.min(position + 1, LAST_POSITION);
      yield { text: lexemeOf(word), position };
    }
  }
  return {
    lexemes,
    *asked(text, prefix) {
      for (const { text: lexeme, position } of lexemes(text)) {
        if (lexeme !== undefined) yield { spellings: [[{ text: lexeme, distance: 0, prefix }]], position };
      }
    },
  };
}
