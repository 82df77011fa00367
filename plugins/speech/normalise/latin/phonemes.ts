/** English words by their phonemes in the CMU dictionary (ARPAbet: `W ER1 D`). */
import type { Sound } from './sounds.js';
import { glided } from './sounds.js';
import table from './phonemes.json' with { type: 'json' };

const VOWELS: Readonly<Record<string, string>> = table.vowels;
const CONSONANTS: Readonly<Record<string, string>> = table.consonants;
const BEFORE_R: Readonly<Record<string, string>> = table.beforeR;
/** Unstressed vowels are written by their letters if a consonant and a vowel follow: 캐나다, 멜로디. */
const UNSTRESSED: Readonly<Record<string, string>> = table.unstressed;
const SHORT = new Set(table.short);

interface Phoneme {
  /** Without stress, except `AH0`. */
  readonly name: string;
  readonly isVowel: boolean;
  /** The letters of a vowel, if the word has as many groups of vowel letters as vowels. */
  readonly letters: string;
}

/** `word` in lower case. */
export function soundsOfPhonemes(phonemes: string, word: string): Sound[] {
  const all = parse(phonemes.split(' '), word);
  const sounds: Sound[] = [];
  for (const [at, { name, isVowel }] of all.entries()) {
    const [before, next] = [all[at - 1], all[at + 1]];
    if (isVowel) {
      const text = vowelAt(all, at, word);
      sounds.push({
        kind: 'vowel',
        text: before?.name === 'Y' && !isSyllabic(all[at - 2], all[at]) ? glided(text) : text,
        isShort: SHORT.has(name.slice(0, 2)),
      });
      // 배터리: the r of er sounds before a vowel.
      if (name === 'ER' && next?.isVowel === true) sounds.push({ kind: 'consonant', letter: 'ㄹ' });
      continue;
    }
    // t and s, d and z are one sound if no vowel follows.
    const isAffricate = (name === 'T' && next?.name === 'S') || (name === 'D' && next?.name === 'Z');
    if (isAffricate && all[at + 2]?.isVowel !== true) continue;
    const fixed =
      next?.isVowel === true ? undefined : syllableOf(name, before?.name, next === undefined, word);
    if (fixed !== undefined) sounds.push({ kind: 'ending', text: fixed });
    else if (name === 'K' && next?.name === 'W') sounds.push({ kind: 'consonant', letter: 'qu' });
    else if (name === 'Y' && isSyllabic(before, next))
      sounds.push({ kind: 'vowel', text: '이', isShort: false });
    else if (name !== 'Y' && !(name === 'W' && before?.name === 'K'))
      sounds.push({ kind: 'consonant', letter: CONSONANTS[name] ?? '' });
  }
  return sounds;
}

/** Whether y between l or n and this vowel makes a syllable: 밀리언, but 뮤직. */
function isSyllabic(before: Phoneme | undefined, vowel: Phoneme | undefined): boolean {
  return 'LN'.includes(before?.name ?? '-') && vowel?.isVowel === true && !vowel.name.startsWith('U');
}

function parse(phonemes: readonly string[], word: string): Phoneme[] {
  const groups = word.replace(/([^aeiou])e$/, '$1').match(/[aeiouy]+/g) ?? [];
  const isAligned = groups.length === phonemes.filter((one) => /\d$/.test(one)).length;
  let vowels = 0;
  return phonemes.map((one) => {
    const isVowel = /\d$/.test(one);
    const letters = isVowel && isAligned ? (groups[vowels] ?? '') : '';
    if (isVowel) vowels += 1;
    return { name: one === 'AH0' ? one : one.replace(/\d$/, ''), isVowel, letters };
  });
}

/** A consonant without a following vowel that is always a syllable; t and s are one sound: 너츠. */
function syllableOf(
  name: string,
  before: string | undefined,
  isLast: boolean,
  word: string,
): string | undefined {
  switch (name) {
    case 'F':
      return '프';
    case 'S':
      return before === 'T' ? '츠' : undefined;
    case 'SH':
      return isLast ? '시' : '슈';
    case 'Z':
      return isLast && word.endsWith('s') && before !== 'D' ? '스' : '즈';
    default:
      return undefined;
  }
}

function vowelAt(all: readonly Phoneme[], at: number, word: string): string {
  const { name = '', letters = '' } = all[at] ?? {};
  const [before, next, after] = [all[at - 1]?.name ?? '', all[at + 1], all[at + 2]];
  if (name === 'AH0') return unstressed(all, at, word);
  if (name === 'AW' && next?.name === 'ER') return '아';
  if (name === 'ER' && before === 'AW') return '워';
  if (next?.name === 'R' && after?.isVowel !== true) {
    if (name === 'AO' && after === undefined && word.endsWith('e')) return '오어';
    if (BEFORE_R[name] !== undefined) return BEFORE_R[name];
  }
  // British pronunciation: 스튜디오, 뉴스.
  if (name === 'UW' && /^(?:u|ew|ue)$/.test(letters) && ['T', 'D', 'N'].includes(before)) return '유';
  if (name === 'AA' && letters.startsWith('o')) return '오';
  return VOWELS[name] ?? '';
}

/** An unstressed vowel has no sound of its own and is by custom written by its letters: 캐나다, 멜로디, 윌슨, 마블. */
function unstressed(all: readonly Phoneme[], at: number, word: string): string {
  const { letters = '' } = all[at] ?? {};
  const [before, next, after] = [all[at - 1]?.name ?? '', all[at + 1]?.name, all[at + 2]];
  if (next === undefined) return word.endsWith('a') ? '아' : '어';
  if (at === 0) return '어';
  if (before === 'Y' && letters === 'u') return '우';
  if (letters === 'i') return '이';
  if (next === 'L' && after?.name === 'Z' && word.endsWith('les')) return '으';
  if (after === undefined) {
    if (next === 'L' && word.endsWith('ful')) return '우';
    if (next === 'L' && (word.endsWith('le') || (letters === 'e' && 'BV'.includes(before)))) return '으';
    if (next === 'N' && ((letters === 'o' && before === 'S') || (letters === 'e' && 'TD'.includes(before))))
      return '으';
    if ((next === 'D' || next === 'S') && letters === 'e') return '이';
    if ((next === 'L' || next === 'T') && letters === 'e') return '에';
  }
  return (after?.isVowel === true ? UNSTRESSED[letters] : undefined) ?? '어';
}
