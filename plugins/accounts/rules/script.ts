/** The characters of Japanese texts. */

/** Katakana of both widths, with digits, spaces and the marks between words. */
const KANA =
  /^[\p{Script=Katakana}\u30fb\u30fc\uff70\uff9e\uff9f\u309b\u309c0-9\uff10-\uff19\s\-\uff0d\u2010-\u2015().,/\uff08\uff09]*$/u;
const KANJI =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Latin}\u3005\u30fb\u30fc0-9\uff10-\uff19\s\-\uff0d\u2010-\u2015().,/\uff08\uff09&]*$/u;

export function hasCharacters(script: 'kana' | 'kanji', text: string): boolean {
  return (script === 'kana' ? KANA : KANJI).test(text);
}
