/** Normalised text cut into sentences, clauses and words of a length that an engine takes. */
import { hasSyllable } from './hangul.js';

export type End = '.' | ',' | '?' | '!';

export interface Clause {
  readonly words: readonly string[];
  readonly end: End;
}

/** What follows a piece: the end of a sentence or of a paragraph, or a comma if a long sentence continues. */
export type Break = 'comma' | 'sentence' | 'paragraph';

/** What is spoken in one piece. */
export interface Sentence {
  readonly text: string;
  readonly clauses: readonly Clause[];
  readonly break: Break;
}

/** A longer sentence continues in the next piece. */
const MOST_SYLLABLES = 120;
/** A longer clause gets a pause at a connective ending, or at the last space. */
const MOST_IN_CLAUSE = 48;
/** Longer words are cut. */
const MOST_IN_WORD = 24;
/** Endings that allow a pause. */
const CONNECTIVES = ['고', '며', '면', '서', '니까', '지만', '는데', '으나', '거나', '려고', '도록'];

/** A generator, so that a long text can be cut over several turns of the event loop. */
export function* splitSentences(normalised: string): Generator<Sentence> {
  for (const { text, end, isParagraph } of splitAtEnds(normalised))
    for (const clauses of pieces(clausesOf(text, end)))
      yield {
        text: clauses.map(textOf).join(' '),
        clauses,
        break: clauses.at(-1)?.end === ',' ? 'comma' : isParagraph ? 'paragraph' : 'sentence',
      };
}

/** Text that no mark ends, such as a line, ends as with a period. */
function* splitAtEnds(text: string): Generator<{ text: string; end: End; isParagraph: boolean }> {
  let start = 0;
  for (let at = 0; at <= text.length; at += 1) {
    const character = text.charAt(at);
    const end = character === '' || character === '\n' ? '.' : character;
    if (!isEnd(end)) continue;
    const sentence = text.slice(start, at);
    start = at + 1;
    if (hasSyllable(sentence)) yield { text: sentence, end, isParagraph: endsLine(text, at) };
  }
}

/** Whether the mark, or the character at `at`, is the last of its line. */
function endsLine(text: string, at: number): boolean {
  return text.charAt(at) === '\n' || text.charAt(at + 1) === '\n';
}

function isEnd(character: string): character is Exclude<End, ','> {
  return character === '.' || character === '?' || character === '!';
}

function* clausesOf(text: string, end: End): Generator<Clause> {
  const spoken = text
    .split(',')
    .map(wordsOf)
    .filter((words) => words.length > 0);
  for (const [at, words] of spoken.entries())
    yield* shortClauses(words, at === spoken.length - 1 ? end : ',');
}

/** Only readable characters: others do not get this far, and would not be spoken. */
function wordsOf(text: string): string[] {
  return text.split(' ').filter(hasSyllable).flatMap(shortWords);
}

function shortWords(word: string): string[] {
  const parts: string[] = [];
  for (let at = 0; at < word.length; at += MOST_IN_WORD) parts.push(word.slice(at, at + MOST_IN_WORD));
  return parts;
}

function* shortClauses(words: readonly string[], end: End): Generator<Clause> {
  let open: string[] = [];
  let syllables = 0;
  for (const [at, word] of words.entries()) {
    open.push(word);
    syllables += word.length;
    const isFull = syllables + (words[at + 1]?.length ?? 0) > MOST_IN_CLAUSE;
    const pauses = syllables > MOST_IN_CLAUSE / 2 && CONNECTIVES.some((ending) => word.endsWith(ending));
    if (at < words.length - 1 && (isFull || pauses)) {
      yield { words: open, end: ',' };
      open = [];
      syllables = 0;
    }
  }
  yield { words: open, end };
}

function* pieces(clauses: Iterable<Clause>): Generator<Clause[]> {
  let open: Clause[] = [];
  let syllables = 0;
  for (const clause of clauses) {
    const length = clause.words.reduce((sum, word) => sum + word.length, 0);
    if (open.length > 0 && syllables + length > MOST_SYLLABLES) {
      yield open;
      open = [];
      syllables = 0;
    }
    open.push(clause);
    syllables += length;
  }
  if (open.length > 0) yield open;
}

function textOf({ words, end }: Clause): string {
  return words.join(' ') + end;
}
