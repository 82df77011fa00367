/**
 * Whether a sentence with pronouns is about its speaker or somebody else: "He lives in Paris" is not the user's home.
 */
import type { Language } from '../analyzer/language.js';
import pronouns from './pronouns.json' with { type: 'json' };

interface Pronouns {
  /** The subject of a sentence is the speaker, or somebody else. */
  readonly speaker: RegExp;
  readonly another: RegExp;
  /** Any form of the pronouns. */
  readonly ofSpeaker: RegExp;
  readonly ofOthers: RegExp;
}

const UNSPACED: readonly (readonly [keyof typeof pronouns, RegExp])[] = [
  ['korean', /\p{Script=Hangul}/u],
  ['japanese', /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ['chinese', /\p{Script=Han}/u],
];

const BY_LANGUAGE = new Map<string, Pronouns>(
  Object.entries(pronouns).map(([language, { speaker, speakers, another, others }]) => {
    const isSpaced = !UNSPACED.some(([name]) => name === language);
    const any = (words: readonly string[]): RegExp => {
      const one = `(?:${words.join('|')})`;
      // 其他 is "other", not 他.
      return new RegExp(isSpaced ? `(?<![\\p{L}\\p{M}])${one}(?![\\p{L}\\p{M}])` : `(?<!其)${one}`, 'giu');
    };
    return [
      language,
      {
        speaker: any(speaker),
        another: any(another),
        ofSpeaker: any([...speaker, ...speakers]),
        ofOthers: any([...another, ...others]),
      },
    ];
  }),
);

/**
 * The pronoun of a person whom a quoted sentence is about and whom the fact does not name; undefined if the sentence is
 * about its speaker or about nobody. `said`: the sentence up to the end of the quote.
 */
export function anotherSubject(
  { sentence, said, fact }: { readonly sentence: string; readonly said: string; readonly fact: string },
  language: Language,
): string | undefined {
  const script = UNSPACED.find(([, letters]) => letters.test(sentence))?.[0];
  const own = BY_LANGUAGE.get(script ?? language);
  if (own === undefined) return undefined;
  const other = lastOf(said, own.another);
  const isOf =
    other === undefined
      ? sentence.search(own.ofSpeaker) < 0 && sentence.search(own.ofOthers) >= 0
      : other.index > (lastOf(said, own.speaker)?.index ?? -1) && fact.search(own.another) < 0;
  return isOf ? (other ?? firstOf(sentence, own.ofOthers))?.[0].trim().toLowerCase() : undefined;
}

function firstOf(text: string, pattern: RegExp): RegExpExecArray | undefined {
  return text.matchAll(pattern).next().value;
}

function lastOf(text: string, pattern: RegExp): RegExpExecArray | undefined {
  return [...text.matchAll(pattern)].at(-1);
}
