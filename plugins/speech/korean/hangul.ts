/** Hangul syllables and their letters (Unicode 3.12, Conjoining Jamo Behavior). */

const FIRST = 0xac00;
const LAST = 0xd7a3;
const ONSETS = Array.from('ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ');
const VOWELS = Array.from('ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ');
const CODAS = ['', ...Array.from('ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ')];

/** The letters of a syllable. `onset` is ㅇ if the syllable begins with its vowel; `coda` is empty in an open one. */
export interface Syllable {
  readonly onset: string;
  readonly vowel: string;
  readonly coda: string;
}

export function isSyllable(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  return code >= FIRST && code <= LAST;
}

/** The letters of a syllable; the character must be a syllable. */
export function decompose(character: string): Syllable {
  const index = (character.codePointAt(0) ?? 0) - FIRST;
  return {
    onset: ONSETS[Math.floor(index / 588)] ?? '',
    vowel: VOWELS[Math.floor((index % 588) / 28)] ?? '',
    coda: CODAS[index % 28] ?? '',
  };
}

export function compose({ onset, vowel, coda }: Syllable): string {
  const index = (ONSETS.indexOf(onset) * 21 + VOWELS.indexOf(vowel)) * 28 + CODAS.indexOf(coda);
  return String.fromCodePoint(FIRST + index);
}

export function hasSyllable(text: string): boolean {
  for (const character of text) if (isSyllable(character)) return true;
  return false;
}
