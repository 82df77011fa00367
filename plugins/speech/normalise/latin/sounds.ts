/**
 * Unlisted words by the usual sounds of English letters, written as loanwords (외래어 표기법, Ministry of Culture,
 * notification 2017-14, chapter 3, section 1). A guess, but one that is understood, unlike spelled letters.
 */
import { compose, decompose } from '../../korean/hangul.js';
import table from './sounds.json' with { type: 'json' };

/** Graphemes by length; the longest match is taken. */
const VOWELS: Readonly<Record<string, string>> = table.vowels;
const CONSONANTS: Readonly<Record<string, string>> = table.consonants;
const ENDINGS: Readonly<Record<string, string>> = table.endings;
const MAGIC: Readonly<Record<string, string>> = table.magic;
const LONGEST = 4;
/** Stops that close a syllable after a short vowel: ㅍ is ㅂ in 톱. */
const CLOSING: Readonly<Record<string, string>> = { ㅍ: 'ㅂ', ㅌ: 'ㅅ', ㅋ: 'ㄱ' };
const NASALS = 'ㄴㅁㅇ';

export type Sound =
  | { readonly kind: 'consonant'; readonly letter: string }
  /** Syllables without an onset, such as 에이; `isShort` if written with one letter. */
  | { readonly kind: 'vowel'; readonly text: string; readonly isShort: boolean }
  /** Complete syllables. */
  | { readonly kind: 'ending'; readonly text: string };

/** Undefined if nothing is read. `word` is in lower case. */
export function soundOut(word: string): string | undefined {
  const text = join(soundsOf(word));
  return text === '' ? undefined : text;
}

function soundsOf(word: string): Sound[] {
  const sounds: Sound[] = [];
  for (let at = 0; at < word.length;) {
    const { sound, take } = soundAt(word, at);
    if (sound !== undefined) sounds.push(sound);
    at += take;
  }
  return sounds;
}

function soundAt(word: string, at: number): { sound?: Sound; take: number } {
  const rest = word.slice(at);
  const ending = ENDINGS[rest];
  if (ending !== undefined && at > 0) return { sound: { kind: 'ending', text: ending }, take: rest.length };
  // A doubled consonant counts once, and the last e is silent.
  if (rest.length > 1 && rest[0] === rest[1] && !'aeiouc'.includes(rest.charAt(0))) return { take: 1 };
  if (rest === 'e' && at > 1) return { take: 1 };
  if (/^[aeiou][bcdfgklmnpstvz]e$/.test(rest) && at > 0) {
    const text = MAGIC[rest.charAt(0)];
    if (text !== undefined) return { sound: { kind: 'vowel', text, isShort: false }, take: 1 };
  }
  for (let take = Math.min(LONGEST, rest.length); take > 0; take -= 1) {
    const part = rest.slice(0, take);
    const isLast = take === rest.length;
    const vowel = (isLast ? VOWELS[`${part}$`] : undefined) ?? VOWELS[part];
    if (vowel !== undefined) return { sound: { kind: 'vowel', text: vowel, isShort: take === 1 }, take };
    if (part === 'n' && rest.charAt(1) === 'k') return { sound: { kind: 'consonant', letter: 'ㅇ' }, take };
    const letter = (at === 0 ? CONSONANTS[`^${part}`] : undefined) ?? CONSONANTS[part];
    if (letter !== undefined)
      return { sound: { kind: 'consonant', letter: softened(letter, rest, take) }, take };
  }
  return { take: 1 };
}

/** c and g before e, i and y. */
function softened(letter: string, rest: string, take: number): string {
  const isSoft = take === 1 && 'eiy'.includes(rest.charAt(1)) && rest.length > 1;
  if (isSoft && rest.startsWith('c')) return 'ㅅ';
  return isSoft && rest.startsWith('g') && rest.charAt(1) === 'e' ? 'ㅈ' : letter;
}

export function join(sounds: readonly Sound[]): string {
  let text = '';
  let onset = 'ㅇ';
  for (const [at, sound] of sounds.entries()) {
    const next = sounds[at + 1];
    if (sound.kind === 'vowel') {
      text += withOnset(onset, sound.text);
      onset = 'ㅇ';
    } else if (sound.kind === 'ending') {
      text += sound.text;
      onset = 'ㅇ';
    } else if (next?.kind === 'vowel') {
      if (sound.letter === 'ㅇ' && isOpen(text)) text = withCoda(text, 'ㅇ');
      if (sound.letter === 'x') text = closed(text, 'ㅋ', sounds[at - 1]);
      // An l between vowels is doubled: 젤리.
      if (sound.letter === 'l' && isOpen(text)) text = withCoda(text, 'ㄹ');
      onset = sound.letter === 'l' ? 'ㄹ' : sound.letter;
    } else {
      text = closed(text, sound.letter, sounds[at - 1]);
    }
  }
  return text;
}

/** Whether the last syllable has no coda. */
function isOpen(text: string): boolean {
  return text !== '' && decompose(text.charAt(text.length - 1)).coda === '';
}

/** A consonant without a following vowel: a coda, or a syllable with ㅡ or ㅣ. */
function closed(text: string, letter: string, before: Sound | undefined): string {
  const opens = isOpen(text) && before?.kind === 'vowel';
  if (letter === 'l') return opens ? withCoda(text, 'ㄹ') : `${text}르`;
  if (letter === 'ㄹ') return before?.kind === 'vowel' ? text : `${text}르`;
  if (NASALS.includes(letter)) return opens ? withCoda(text, letter) : `${text}${withOnset(letter, '으')}`;
  const coda = CLOSING[letter];
  if (coda !== undefined && opens && before.isShort) return withCoda(text, coda);
  if (letter === 'x') return `${opens ? withCoda(text, 'ㄱ') : text}스`;
  return text + withOnset(letter, 'ㅅ시ㅊㅈ'.includes(letter) && letter !== 'ㅅ' ? '이' : '으');
}

function withOnset(onset: string, vowels: string): string {
  const first = vowels.charAt(0);
  if (onset === 'ㅇ' || first === '') return vowels;
  if (onset === 'x') return withOnset('ㅅ', vowels);
  if (onset === '시') return withOnset('ㅅ', glided(vowels));
  if (onset === 'w' || onset === 'y' || onset === 'qu') return gliding(onset, vowels);
  return compose({ ...decompose(first), onset }) + vowels.slice(1);
}

/** sh: 샤, 셰, 쇼. */
export function glided(vowels: string): string {
  const glides: Readonly<Record<string, string>> = {
    아: '야',
    애: '얘',
    에: '예',
    어: '여',
    오: '요',
    우: '유',
  };
  return (glides[vowels.charAt(0)] ?? vowels.charAt(0)) + vowels.slice(1);
}

function gliding(onset: 'w' | 'y' | 'qu', vowels: string): string {
  if (onset === 'y') return glided(vowels);
  const glides: Readonly<Record<string, string>> = {
    아: '와',
    애: '왜',
    에: '웨',
    어: '워',
    오: '워',
    이: '위',
    우: '우',
  };
  const text = (glides[vowels.charAt(0)] ?? vowels.charAt(0)) + vowels.slice(1);
  return onset === 'w' ? text : compose({ ...decompose(text.charAt(0)), onset: 'ㅋ' }) + text.slice(1);
}

function withCoda(text: string, coda: string): string {
  const last = text.charAt(text.length - 1);
  return text.slice(0, -1) + compose({ ...decompose(last), coda });
}
