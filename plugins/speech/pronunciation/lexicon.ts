/** Words whose sound no rule gives: compounds, Sino-Korean tensing, names of letters. */
import lexicon from './lexicon.json' with { type: 'json' };
import type { PronunciationChange } from './word.js';

const LONGEST = Math.max(...lexicon.words.map(({ written }) => written.length));
const WORDS = new Map(lexicon.words.map((word) => [word.written, word]));

/** The word with every listed part respelled, longest first. Respelled parts still go through the rules. */
export function respell(word: string): { text: string; changes: PronunciationChange[] } {
  const changes: PronunciationChange[] = [];
  let text = '';
  for (let at = 0; at < word.length;) {
    const entry = longestEntry(word, at);
    if (entry === undefined) {
      text += word.charAt(at);
      at += 1;
    } else {
      text += entry.spoken;
      if (entry.spoken !== entry.written)
        changes.push({ article: entry.article, from: entry.written, to: entry.spoken });
      at += entry.written.length;
    }
  }
  return { text, changes };
}

/** Entries of two syllables begin a word or follow at least two syllables: 출/발전 is not 발전. */
function longestEntry(word: string, at: number) {
  for (let length = Math.min(LONGEST, word.length - at); length >= 2; length -= 1) {
    const entry = WORDS.get(word.slice(at, at + length));
    if (entry !== undefined && (length > 2 || at !== 1)) return entry;
  }
  return undefined;
}
