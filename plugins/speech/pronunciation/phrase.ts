/** Changes where two words of a phrase meet, said in one breath: articles 12, 15, 18, 23, 27 and 29. */
import { compose, decompose, isSyllable } from '../korean/hangul.js';
import { isAdnominal, isDependent } from './adnominal.js';
import { aspirated, codaSound, nasal, tense } from './letters.js';
import lexicon from './lexicon.json' with { type: 'json' };
import type { PronunciationChange } from './word.js';

const { nouns: NOUNS, verbs: VERBS, particles: PARTICLES } = lexicon.insertionAcross;

/** The next word as changed by the word before: 할 것 is 할 껏, 할 일 is 할 닐. */
export function respellNext(before: string, next: string): { text: string; change?: PronunciationChange } {
  const first = next.charAt(0);
  if (!isSyllable(first) || !isSyllable(before.at(-1) ?? '')) return { text: next };
  const letters = decompose(first);
  const { coda } = decompose(before.at(-1) ?? '');
  if (
    coda === 'ㄹ' &&
    letters.onset !== 'ㅇ' &&
    (isDependent(next) ? isAdnominal(before, true) : isAdnominal(before))
  )
    return changed(next, compose({ ...letters, onset: tense(letters.onset) }), 27);
  if (coda !== '' && letters.onset === 'ㅇ' && insertsN(before, next))
    return changed(next, compose({ ...letters, onset: coda === 'ㄹ' ? 'ㄹ' : 'ㄴ' }), 29);
  return { text: next };
}

function changed(
  word: string,
  first: string,
  article: number,
): { text: string; change?: PronunciationChange } {
  const from = word.charAt(0);
  return from === first
    ? { text: word }
    : { text: first + word.slice(1), change: { article, from, to: first } };
}

/** Article 29: 한 일, 옷 입다; not 옷을 입다. */
function insertsN(before: string, next: string): boolean {
  const noun = NOUNS.find((name) => next.startsWith(name) && PARTICLES.includes(next.slice(name.length)));
  const isObject = before.length > 1 && '은는을이'.includes(before.at(-1) ?? '');
  // 못 잊어, 못 이긴: 못 is always followed by a verb.
  if (before === '못' && 'ㅣㅑㅕㅖㅛㅠ'.includes(decompose(next.charAt(0)).vowel)) return true;
  if (noun !== undefined) return noun !== '일' || before.length <= 3;
  return !isObject && VERBS.some((verb) => next.startsWith(verb));
}

/** Both words as they sound together. `spoken`: each on its own. */
export function meetWords(
  left: string,
  right: string,
): { left: string; right: string; article: number } | undefined {
  const [last, first] = [left.at(-1) ?? '', right.charAt(0)];
  if (!isSyllable(last) || !isSyllable(first)) return undefined;
  const [one, other] = [decompose(last), decompose(first)];
  const sound = codaSound(one.coda);
  const together = (coda: string, onset: string, article: number) => ({
    left: left.slice(0, -1) + compose({ ...one, coda }),
    right: compose({ ...other, onset }) + right.slice(1),
    article,
  });
  if (!'ㄱㄷㅂ'.includes(sound) || sound === '') return undefined;
  const { onset } = other;
  if (onset === 'ㅇ') return together('', sound, 15);
  if (onset === 'ㅎ') return together('', aspirated(sound) ?? 'ㅎ', 12);
  if (onset === 'ㄴ' || onset === 'ㅁ') return together(nasal(sound), onset, 18);
  // Only after a short word, which is rarely said on its own: 못 가다, 몇 개.
  const tensed = tense(onset);
  return left.length === 1 && tensed !== onset ? together(sound, tensed, 23) : undefined;
}
