/**
 * The configuration of Korean, Japanese and Chinese. Han, Kana and other scripts without spaces become pairs of
 * characters, each with its own position. A Korean word has one position, shared by its pairs and, as marked lexemes,
 * the word with and without its particle. So 서울 finds 서울에서 and 서울역, and 서울에서 finds 서울은.
 */
import { bigramsOf, compatibleText, koreanNounsOf, UNSPACED_SCRIPTS } from 'plugboard/sdk';
import type { AskedLexeme, AskedWord, Configuration, Lexeme } from './words.js';

/** Not a character of a word. */
const WHOLE = '_';

/** Korean words are shorter; longer text has only pairs. */
const LONGEST_WORD = 30;

const RUN = new RegExp(
  `(?<hangul>\\p{Script=Hangul}+)|(?<run>[${UNSPACED_SCRIPTS}ー]+)|[[\\p{L}\\p{N}\\p{M}]--[${UNSPACED_SCRIPTS}ー]]+`,
  'gv',
);

interface Run {
  readonly text: string;
  readonly script: 'hangul' | 'unspaced' | 'spaced';
  /** Position of its first character. */
  readonly position: number;
}

/** `spaced` makes lexemes of words in scripts with spaces. */
export function unspacedConfiguration(spaced: (word: string) => string): Configuration {
  return {
    *lexemes(text) {
      for (const run of runsOf(text)) {
        if (run.script === 'spaced') yield { text: spaced(run.text), position: run.position };
        else yield* run.script === 'hangul' ? koreanLexemes(run) : runLexemes(run);
      }
    },
    *asked(text, prefix) {
      for (const run of runsOf(text)) {
        if (run.script === 'hangul') yield askedKorean(run, prefix);
        else if (run.script === 'unspaced') yield askedRun(run);
        else yield { spellings: [[lexeme(spaced(run.text), 0, prefix)]], position: run.position };
      }
    },
  };
}

function* runsOf(text: string): Generator<Run> {
  let position = 1;
  for (const { 0: run, groups } of compatibleText(text).toLowerCase().matchAll(RUN)) {
    if (groups?.['run'] === undefined) {
      yield { text: run, script: groups?.['hangul'] === undefined ? 'spaced' : 'hangul', position };
      position += 1;
    } else {
      yield { text: run, script: 'unspaced', position };
      position += Array.from(run).length;
    }
  }
}

function* koreanLexemes({ text: word, position }: Run): Generator<Lexeme> {
  if (word.length > 1) for (const text of bigramsOf(word)) yield { text, position };
  if (word.length > LONGEST_WORD) return;
  for (const noun of [word, ...koreanNounsOf(word)]) yield { text: noun + WHOLE, position };
}

/** Each pair, and the last character: a one-character prefix finds all that have it. */
function* runLexemes({ text, position }: Run): Generator<Lexeme> {
  const characters = Array.from(text);
  for (const [at, character] of characters.entries()) {
    yield { text: character + (characters[at + 1] ?? ''), position: position + at };
  }
}

/** A one-syllable noun is taken from a word only if its particle is longer: 나이 is not 나 with 이. */
function askedKorean({ text: word, position }: Run, prefix: boolean): AskedWord {
  if (word.length === 1) return { spellings: [[lexeme(prefix ? word : word + WHOLE, 0, prefix)]], position };
  const pairs = bigramsOf(word).map((pair) => lexeme(pair, 0, false));
  const nouns = prefix ? [] : koreanNounsOf(word).filter((noun) => noun.length > 1 || word.length > 2);
  return { spellings: [pairs, ...nouns.map((noun) => [lexeme(noun + WHOLE, 0, false)])], position };
}

function askedRun({ text, position }: Run): AskedWord {
  const pairs = bigramsOf(text);
  const isAlone = Array.from(text).length === 1;
  return {
    spellings: [pairs.map((pair, at) => lexeme(pair, at === 0 ? 0 : 1, isAlone))],
    position: position + pairs.length - 1,
  };
}

function lexeme(text: string, distance: number, prefix: boolean): AskedLexeme {
  return { text, distance, prefix };
}
