/** Whether a word in ㄹ modifies the next noun, which is then tense: 할 도리, 만날 사람; not 서울 사람. */
import { decompose, isSyllable } from '../korean/hangul.js';
import lexicon from './lexicon.json' with { type: 'json' };

const { vowel: FORMS, consonantStems: STEMS, short: SHORT, except: EXCEPT } = lexicon.adnominal;
const NOT_ADNOMINAL = new Set(lexicon.notAdnominal);
const DEPENDENT = lexicon.dependentNouns;
const PARTICLES = new Set(lexicon.particles);

/** `isSure` if a dependent noun follows, before which nearly every word in ㄹ is a verb. */
export function isAdnominal(word: string, isSure = false): boolean {
  const last = word.at(-1) ?? '';
  if (!isSyllable(last) || decompose(last).coda !== 'ㄹ') return false;
  if (isSure) return !NOT_ADNOMINAL.has(word);
  if (EXCEPT.some((other) => word === other || (other.length > 1 && word.endsWith(other)))) return false;
  if (word.length === 1) return SHORT.includes(word);
  if (last === '을') return STEMS.includes(word.charAt(word.length - 2)) && word.length <= 4;
  return FORMS.some((form) => word.endsWith(form));
}

/** 것을, 데가, 수는. */
export function isDependent(word: string): boolean {
  return DEPENDENT.some(
    (noun) => word.startsWith(noun) && (word.length === noun.length || isTail(word.charAt(noun.length))),
  );
}

/** What follows a dependent noun: a particle, the copula, or 없/있 written without a space. */
function isTail(syllable: string): boolean {
  return PARTICLES.has(syllable) || '다입인없있들면싶같하'.includes(syllable);
}
