/** Properties of a conversational entry: its speaker, whether it is a question, and its length. */
import type { EntryDocument } from '../entries/document.js';

export interface TurnText {
  /** In lower case, from texts like "Ann: yes"; null: none. */
  readonly speaker: string | null;
  /** Ends with a question mark. */
  readonly asks: boolean;
  /** See tokens.ts. */
  readonly tokens: number;
}

const SPEAKER = /^(?<name>\p{L}[\p{L}\p{M}\p{N} .'’-]{0,40}): /u;
const QUESTION_MARKS = new Set(['?', '？', '؟']);
/** Characters that may follow a question mark. */
const CLOSING = new Set([
  ' ',
  '\n',
  '\r',
  '\t',
  '"',
  "'",
  '”',
  '’',
  '»',
  '«',
  '“',
  ')',
  ']',
  '*',
  '_',
  '!',
  '！',
]);

export function turnText({ content, tokens }: Pick<EntryDocument, 'content' | 'tokens'>): TurnText {
  const speaker = SPEAKER.exec(content)?.groups?.['name']?.toLowerCase() ?? null;
  return { speaker, asks: endsWithQuestion(content), tokens };
}

function endsWithQuestion(text: string): boolean {
  let at = text.length - 1;
  while (at >= 0 && CLOSING.has(text[at]!)) at -= 1;
  return QUESTION_MARKS.has(text[at] ?? '');
}

/** The speaker whom a query names; undefined: none, or several. */
export function speakerIn(query: string, speakers: ReadonlySet<string>): string | undefined {
  const asked = wordsOf(query);
  const owners = new Map<string, number>();
  for (const speaker of speakers)
    for (const word of new Set(wordsOf(speaker))) owners.set(word, (owners.get(word) ?? 0) + 1);
  // "Customer Ann" and "Customer Bo" are distinguished by the words that only one of them has.
  const named = [...speakers].filter((speaker) =>
    wordsOf(speaker).some((name) => owners.get(name) === 1 && asked.some((word) => isName(word, name))),
  );
  return named.length === 1 ? named[0] : undefined;
}

/** Allows a genitive s, and Korean particles. */
function isName(word: string, name: string): boolean {
  return word === name || word === `${name}s` || (HANGUL.test(name) && word.startsWith(name));
}

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const HANGUL = /^\p{Script=Hangul}{2,}$/u;

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(WORD) ?? [];
}
