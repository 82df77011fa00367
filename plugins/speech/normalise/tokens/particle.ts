/** Particles in the form that fits how the word before them is read: 5kg를 is 오 킬로그램을. */
import { decompose } from '../../korean/hangul.js';
import type { Token } from './tokens.js';

/** After a coda, and after a vowel. */
const FORMS: readonly (readonly [string, string])[] = [
  ['을', '를'],
  ['은', '는'],
  ['과', '와'],
  ['이', '가'],
  ['으로', '로'],
];
/** 을지로 3가, 제2과, 세종 3로: after digits these are no particles. */
const NOT_AFTER_DIGITS: readonly string[] = ['과', '가', '이', '로', '으로'];

/** The particle that fits `last`, the last character of what was read; another token as it is. */
export function fittingParticle({ text }: Token, before: Token | undefined, last: string): string {
  if (before?.kind !== 'latin' && before?.kind !== 'digits' && before?.kind !== 'symbol') return text;
  const forms = FORMS.find((each) => each.includes(text));
  if (forms === undefined || last < '가' || last > '힣') return text;
  if (before.kind === 'digits' && NOT_AFTER_DIGITS.includes(text)) return text;
  const { coda } = decompose(last);
  const isOpen = coda === '' || (coda === 'ㄹ' && forms[1] === '로');
  return forms[isOpen ? 1 : 0];
}
