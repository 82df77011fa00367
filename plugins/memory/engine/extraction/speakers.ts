/** Recognises the speaker words of a fact: "the user", "the assistant". */
import { UNSPACED } from '../analyzer/language.js';
import { labelOf as labelIn } from '../evidence/label.js';
import speakers from './speakers.json' with { type: 'json' };
import type { Speaker, Turn } from './turns.js';

export interface Spoken {
  /** The fact without speaker words. */
  readonly text: string;
  readonly names: ReadonlySet<Speaker>;
  /** The speaker it begins with. */
  readonly first: Speaker | undefined;
  /** Its subject is the speaker it begins with, not something that belongs to them. */
  readonly isAbout: boolean;
}

/** `label`: the speaker name in the turn; with one, "the user" refers to nobody in particular. */
export function withoutSpeakers(fact: string, label?: Label): Spoken {
  const names = new Set<Speaker>();
  let first: Speaker | undefined;
  let article = '';
  let isAbout = false;
  const normal = fact.normalize('NFKC');
  const text = normal.replace(/(?:l['’])?[\p{L}\p{M}]+(?:['’]s)?/giu, (word, at: number) => {
    const bare = word.replace(/^l['’]|['’]s$/gi, '');
    const speaker = speakerIn(bare.toLowerCase(), label);
    if (speaker === undefined) return word;
    names.add(speaker.role);
    const before = normal.slice(0, at).trim();
    const rest = bare.slice(speaker.length);
    if (first === undefined && !before.includes(' ')) {
      [first, article] = [speaker.role, before];
      isAbout = !/['’]s$/i.test(word) && !/^[의の的]/u.test(rest || normal.slice(at + word.length));
    }
    return rest;
  });
  return { text: text.trimStart().slice(article.length), names, first, isAbout };
}

/** The name and colon at the beginning of a turn, as in group chats. */
export interface Label {
  readonly role: Speaker;
  /** In lower case, split into words. */
  readonly words: readonly string[];
  /** Characters before the spoken text. */
  readonly length: number;
}

export function labelOf({ role, text }: Turn): Label | undefined {
  const label = labelIn(text);
  return label === ''
    ? undefined
    : { role, words: label.slice(0, -1).toLowerCase().split(' '), length: label.length };
}

/** The spoken text of a turn. */
export function bodyOf(turn: Turn): string {
  return turn.text.slice(labelOf(turn)?.length ?? 0);
}

/** A word for a speaker; in scripts without spaces the word may continue: `사용자는`. */
function speakerIn(word: string, label: Label | undefined): { role: Speaker; length: number } | undefined {
  const all = label === undefined ? speakers : { [label.role]: label.words };
  for (const [role, names] of Object.entries(all) as [Speaker, string[]][])
    for (const name of names)
      if (word === name || (UNSPACED.test(name) && word.startsWith(name)))
        return { role, length: name.length };
  return undefined;
}
