/** Whom a fact is about by the words for who speaks: "the user", "the assistant". */
import speakers from './speakers.json' with { type: 'json' };
import type { Speaker, Turn } from './turns.js';

const UNSPACED = /[\p{Script=Hangul}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

export interface Spoken {
  /** The fact without the words for who speaks. */
  readonly text: string;
  readonly names: ReadonlySet<Speaker>;
  /** Whom it begins with. */
  readonly first: Speaker | undefined;
  /** It is about the one whom it begins with, and not about something of theirs. */
  readonly isAbout: boolean;
}

/** `label`: the name that the turn gives its own speaker; "the user" is then nobody in particular. */
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

/** A turn that begins with a name and a colon, as chats of several people are written. */
export interface Label {
  readonly role: Speaker;
  /** In lower case, word by word. */
  readonly words: readonly string[];
  /** Characters of the turn up to what is said. */
  readonly length: number;
}

/** A name of at most four words with capitals, or of a script without them. */
const LABEL = /^[\p{Lu}\p{Lo}][\p{L}\p{M}'’-]{0,30}(?: [\p{Lu}\p{Lo}][\p{L}\p{M}'’-]{0,30}){0,3}(?=[:：])/u;

export function labelOf({ role, text }: Turn): Label | undefined {
  const [name] = LABEL.exec(text) ?? [];
  if (name === undefined) return undefined;
  return { role, words: name.toLowerCase().split(' '), length: name.length + 1 };
}

/** What is said in a turn. */
export function bodyOf(turn: Turn): string {
  return turn.text.slice(labelOf(turn)?.length ?? 0);
}

/** A word for a speaker; in a script without spaces the word may go on: `사용자는`. */
function speakerIn(word: string, label: Label | undefined): { role: Speaker; length: number } | undefined {
  const all = label === undefined ? speakers : { [label.role]: label.words };
  for (const [role, names] of Object.entries(all) as [Speaker, string[]][])
    for (const name of names)
      if (word === name || (UNSPACED.test(name) && word.startsWith(name)))
        return { role, length: name.length };
  return undefined;
}
