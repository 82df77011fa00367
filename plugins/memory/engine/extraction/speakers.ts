/** Whom a fact is about by the words for who speaks: "the user", "the assistant". */
import speakers from './speakers.json' with { type: 'json' };
import type { Speaker } from './turns.js';

const UNSPACED = /[\p{Script=Hangul}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

export interface Spoken {
  /** The fact without the words for who speaks. */
  readonly text: string;
  readonly names: ReadonlySet<Speaker>;
  /** Whom it begins with. */
  readonly first: Speaker | undefined;
}

export function withoutSpeakers(fact: string): Spoken {
  const names = new Set<Speaker>();
  let first: Speaker | undefined;
  let article = '';
  const normal = fact.normalize('NFKC');
  const text = normal.replace(/(?:l['’])?[\p{L}\p{M}]+(?:['’]s)?/giu, (word, at: number) => {
    const bare = word.replace(/^l['’]|['’]s$/gi, '');
    const speaker = speakerIn(bare.toLowerCase());
    if (speaker === undefined) return word;
    names.add(speaker.role);
    const before = normal.slice(0, at).trim();
    if (first === undefined && !before.includes(' ')) [first, article] = [speaker.role, before];
    return bare.slice(speaker.length);
  });
  return { text: text.trimStart().slice(article.length), names, first };
}

/** A word for a speaker; one without spaces in it may go on behind it: `사용자는`. */
function speakerIn(word: string): { role: Speaker; length: number } | undefined {
  for (const [role, names] of Object.entries(speakers) as [Speaker, string[]][])
    for (const name of names)
      if (word === name || (UNSPACED.test(name) && word.startsWith(name)))
        return { role, length: name.length };
  return undefined;
}
