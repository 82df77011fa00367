/** Standard pronunciation: written Hangul to spoken Hangul, each change with its article. */
import { compose, decompose, isSyllable, type Syllable } from '../korean/hangul.js';
import { meet } from './boundary.js';
import { changeParts } from './compounds.js';
import { codaArticle, codaSound } from './letters.js';
import { respell } from './lexicon.js';
import { meetWords, respellNext } from './phrase.js';
import { endsStem } from './stems.js';
import type { PronunciationChange, SpokenWord } from './word.js';

/** The words of a phrase: some sounds depend on neighbouring words. */
export function pronouncePhrase(words: readonly string[]): SpokenWord[] {
  const spoken: SpokenWord[] = [];
  for (const [at, written] of words.entries()) {
    const { text, change } = respellNext(words[at - 1] ?? '', written);
    const word = pronounce(text);
    const own = {
      written,
      spoken: word.spoken,
      changes: change === undefined ? word.changes : [change, ...word.changes],
    };
    const before = spoken.at(-1);
    const met = before && meetWords(before.spoken, own.spoken);
    if (before === undefined || met === undefined) {
      spoken.push(own);
      continue;
    }
    const joint = {
      article: met.article,
      from: `${before.spoken.at(-1)} ${own.spoken.charAt(0)}`,
      to: `${met.left.at(-1)} ${met.right.charAt(0)}`,
    };
    spoken[spoken.length - 1] = { ...before, spoken: met.left };
    spoken.push({ ...own, spoken: met.right, changes: [...own.changes, joint] });
  }
  return spoken;
}

/** One word. Characters that are not syllables stay, and no change crosses them. */
export function pronounce(written: string): SpokenWord {
  const listed = respell(written);
  const parts = changeParts(listed.text);
  const { text, changes } = soundOut(parts.text);
  return { written, spoken: text, changes: [...listed.changes, ...parts.changes, ...changes] };
}

function soundOut(word: string): { text: string; changes: PronunciationChange[] } {
  const characters = Array.from(word);
  const letters = characters.map((character) => (isSyllable(character) ? decompose(character) : undefined));
  const sounds: (Syllable | undefined)[] = letters.map((letter) => letter && spokenVowel(letter));
  const changes: PronunciationChange[] = [];
  letters.forEach((left, at) => {
    const sound = sounds[at];
    if (left === undefined || sound === undefined) return;
    if (sound.vowel !== left.vowel)
      changes.push({ article: 5, from: compose(left), to: compose({ ...left, vowel: sound.vowel }) });
    const right = letters[at + 1];
    const nextSound = sounds[at + 1];
    if (right === undefined || nextSound === undefined) {
      const coda = codaSound(left.coda);
      if (coda !== left.coda) changes.push({ article: codaArticle(left.coda), from: left.coda, to: coda });
      sounds[at] = { ...sound, coda };
      return;
    }
    const { coda, onset, articles } = meet({
      coda: left.coda,
      onset: right.onset,
      vowel: right.vowel,
      nextCoda: right.coda,
      isStem: endsStem(word, at, left.coda),
    });
    const met = spokenVowel({ ...nextSound, onset }, right);
    if (articles.length > 0) {
      const from = compose(left) + compose(right);
      const to = compose({ ...left, coda }) + compose({ ...right, onset, vowel: met.vowel });
      for (const article of articles) changes.push({ article, from, to });
    }
    sounds[at] = { ...sound, coda };
    sounds[at + 1] = { ...nextSound, onset, vowel: met.vowel };
  });
  const text = sounds.map((sound, at) => (sound ? compose(sound) : characters[at])).join('');
  return { text, changes };
}

/** Article 5: 져, 쪄, 쳐 have ㅓ, and ㅢ is ㅣ after a written consonant. */
function spokenVowel(syllable: Syllable, written = syllable): Syllable {
  const { onset, vowel } = syllable;
  if ('ㅈㅉㅊ'.includes(onset) && vowel === 'ㅕ') return { ...syllable, vowel: 'ㅓ' };
  if (written.onset !== 'ㅇ' && vowel === 'ㅢ') return { ...syllable, vowel: 'ㅣ' };
  return syllable;
}
