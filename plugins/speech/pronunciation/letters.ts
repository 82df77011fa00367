/** Codas: the sound of each at the end of a word, and the letters into which double ones split. */

/** Articles 9 to 11: the seven sounds that end a syllable. */
const SOUND: Readonly<Record<string, string>> = {
  ㄲ: 'ㄱ',
  ㅋ: 'ㄱ',
  ㄳ: 'ㄱ',
  ㄺ: 'ㄱ',
  ㅅ: 'ㄷ',
  ㅆ: 'ㄷ',
  ㅈ: 'ㄷ',
  ㅊ: 'ㄷ',
  ㅌ: 'ㄷ',
  ㅎ: 'ㄷ',
  ㅍ: 'ㅂ',
  ㅄ: 'ㅂ',
  ㄿ: 'ㅂ',
  ㄵ: 'ㄴ',
  ㄶ: 'ㄴ',
  ㄼ: 'ㄹ',
  ㄽ: 'ㄹ',
  ㄾ: 'ㄹ',
  ㅀ: 'ㄹ',
  ㄻ: 'ㅁ',
};

export function codaSound(coda: string): string {
  return SOUND[coda] ?? coda;
}

/** The article that changes the sound of a coda. */
export function codaArticle(coda: string): number {
  if ('ㄺㄻㄿ'.includes(coda)) return 11;
  return 'ㄳㄵㄼㄽㄾㅄ'.includes(coda) ? 10 : 9;
}

/** Articles 13 and 14: what stays and what moves to the next syllable before a vowel. ㅅ moves as tense. */
const LIAISON: Readonly<Record<string, readonly [string, string]>> = {
  ㄳ: ['ㄱ', 'ㅆ'],
  ㄵ: ['ㄴ', 'ㅈ'],
  ㄶ: ['', 'ㄴ'],
  ㄺ: ['ㄹ', 'ㄱ'],
  ㄻ: ['ㄹ', 'ㅁ'],
  ㄼ: ['ㄹ', 'ㅂ'],
  ㄽ: ['ㄹ', 'ㅆ'],
  ㄾ: ['ㄹ', 'ㅌ'],
  ㄿ: ['ㄹ', 'ㅍ'],
  ㅀ: ['', 'ㄹ'],
  ㅄ: ['ㅂ', 'ㅆ'],
};

export function liaison(coda: string): readonly [stays: string, moves: string] {
  return LIAISON[coda] ?? ['', coda];
}

const TENSE: Readonly<Record<string, string>> = { ㄱ: 'ㄲ', ㄷ: 'ㄸ', ㅂ: 'ㅃ', ㅅ: 'ㅆ', ㅈ: 'ㅉ' };

export function tense(onset: string): string {
  return TENSE[onset] ?? onset;
}

const ASPIRATED: Readonly<Record<string, string>> = { ㄱ: 'ㅋ', ㄷ: 'ㅌ', ㅂ: 'ㅍ', ㅈ: 'ㅊ' };

export function aspirated(letter: string): string | undefined {
  return ASPIRATED[letter];
}

const NASAL: Readonly<Record<string, string>> = { ㄱ: 'ㅇ', ㄷ: 'ㄴ', ㅂ: 'ㅁ' };

export function nasal(letter: string): string {
  return NASAL[letter] ?? letter;
}
