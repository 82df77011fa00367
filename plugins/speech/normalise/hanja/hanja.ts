/**
 * Chinese characters in Korean text. A single character is read as a word (美 미국, 與 여당), a joined one as a syllable
 * (訪美 방미); the initial law holds at the start of a word (한글 맞춤법, articles 10 to 12).
 */
import { compose, decompose, isSyllable } from '../../korean/hangul.js';
import { endsWithAny, startsWithAny, wordsAfter } from '../tokens/context.js';
import { isSymbol, textOf, type Rule } from '../tokens/rule.js';
import type { Token } from '../tokens/tokens.js';
import readings from './readings.json' with { type: 'json' };
import table from './words.json' with { type: 'json' };

const SYLLABLES = new Map(
  Object.entries(readings).flatMap(([reading, characters]) =>
    Array.from(characters, (character) => [character, reading] as const),
  ),
);
const WORDS = new Map(Object.entries(table.words));
const LONGEST_WORD = Math.max(...Array.from(WORDS.keys(), (word) => word.length));
const ALONE: Readonly<Record<string, string>> = table.alone;
const SURNAMES: Readonly<Record<string, string>> = table.surnames;

export const hanja: Rule = {
  name: 'hanja',
  read(tokens, at) {
    const text = textOf(tokens[at], 'hanja');
    if (text === undefined) return undefined;
    const before = textOf(tokens[at - 1], 'hangul');
    const spoken =
      text.length === 1 && before === undefined && !isJoined(tokens, at)
        ? readAlone(text, tokens, at)
        : readRun(text, before);
    // 漢字(한자): the reading in brackets is not repeated.
    const isGlossed =
      isSymbol(tokens[at + 1], '([') &&
      isSymbol(tokens[at + 3], ')]') &&
      textOf(tokens[at + 2], 'hangul')?.replaceAll(' ', '') === spoken;
    return { take: isGlossed ? 4 : 1, text: spoken };
  },
};

/** One-syllable Hangul names of countries: 中·러. */
const COUNTRIES = '미중일러북한남영불독';

/** 美·中: characters joined by a dot are read as one word. */
function isJoined(tokens: readonly Token[], at: number): boolean {
  return (
    (isSymbol(tokens[at - 1], '·') && isPartner(tokens[at - 2])) ||
    (isSymbol(tokens[at + 1], '·') && isPartner(tokens[at + 2]))
  );
}

function isPartner(token: Token | undefined): boolean {
  return token?.kind === 'hanja' || (token?.text.length === 1 && COUNTRIES.includes(token.text));
}

/** 與·野 is 여야: the dot between two characters is silent. */
export const dotBetween: Rule = {
  name: 'hanja',
  read(tokens, at) {
    const isBetween = isSymbol(tokens[at], '·') && isShort(tokens[at - 1]) && isShort(tokens[at + 1]);
    return isBetween ? { take: 1, text: '' } : undefined;
  },
};

function isShort(token: Token | undefined): boolean {
  return (token?.kind === 'hanja' || token?.kind === 'hangul') && token.text.length === 1;
}

/** A character on its own, or at the start of a Hangul word: 美 대통령, 美는, 北미사일, 李 대표. */
function readAlone(character: string, tokens: readonly Token[], at: number): string {
  const joined = textOf(tokens[at + 1], 'hangul') ?? '';
  const [next, after] = wordsAfter(tokens, at + 1);
  const surname = SURNAMES[character];
  if (surname !== undefined && isTitle(joined === '' ? next : joined, after, character)) return surname;
  const word = ALONE[character];
  const isWord = joined === '' || table.particles.includes(joined);
  return (isWord ? word : undefined) ?? initial(SYLLABLES.get(character) ?? '');
}

/** A title after a surname: 대통령, 씨, 전 대표. Countries have presidents too. */
function isTitle(next: string, after: string, character: string): boolean {
  const isTitled =
    startsWithAny(next, table.titles) ||
    (['전', '현', '신임'].includes(next) && startsWithAny(after, table.titles));
  return isTitled && (!(character in ALONE) || startsWithAny(next, table.personal));
}

/** Several characters, or one joined to Hangul: syllable by syllable, listed words first. */
function readRun(text: string, before: string | undefined): string {
  let spoken = '';
  for (let at = 0; at < text.length;) {
    const word = wordAt(text, at);
    if (word !== undefined) {
      spoken += word.reading;
      at += word.length;
      continue;
    }
    const character = text.charAt(at);
    const isFirst = at === 0 && (before === undefined || endsWithAny(before, table.prefixes));
    spoken += isFirst ? firstOf(text, character) : inner(syllableOf(text, at), spoken || (before ?? ''));
    at += 1;
  }
  return spoken;
}

/** The longest listed word at `at`. */
function wordAt(text: string, at: number): { reading: string; length: number } | undefined {
  for (let length = Math.min(LONGEST_WORD, text.length - at); length > 1; length -= 1) {
    const reading = WORDS.get(text.slice(at, at + length));
    if (reading !== undefined) return { reading, length };
  }
  return undefined;
}

/** 金大中 is 김대중: two or three characters that begin with a surname whose syllable differs. */
function firstOf(text: string, character: string): string {
  const isName = (text.length === 2 || text.length === 3) && character in table.names;
  if (isName) return (table.names as Readonly<Record<string, string>>)[character] ?? '';
  return initial(syllableOf(text, 0));
}

/** 不 is 부 before ㄷ and ㅈ. */
function syllableOf(text: string, at: number): string {
  const character = text.charAt(at);
  const next = SYLLABLES.get(text.charAt(at + 1));
  if (character === '不' && next !== undefined && 'ㄷㅈ'.includes(decompose(next).onset)) return '부';
  return SYLLABLES.get(character) ?? '';
}

/** The initial law: 녀 is 여, 량 양 and 로 노. */
function initial(syllable: string): string {
  if (syllable === '' || !isSyllable(syllable)) return syllable;
  const letters = decompose(syllable);
  const isGlided = 'ㅑㅕㅖㅛㅠㅣ'.includes(letters.vowel);
  if ('ㄴㄹ'.includes(letters.onset) && isGlided) return compose({ ...letters, onset: 'ㅇ' });
  return letters.onset === 'ㄹ' ? compose({ ...letters, onset: 'ㄴ' }) : syllable;
}

/** 렬 and 률 after a vowel or ㄴ: 비율, 능률. */
function inner(syllable: string, before: string): string {
  if (syllable !== '렬' && syllable !== '률') return syllable;
  const last = before.at(-1) ?? '';
  const coda = isSyllable(last) ? decompose(last).coda : '';
  return coda === '' || coda === 'ㄴ' ? compose({ ...decompose(syllable), onset: 'ㅇ' }) : syllable;
}
