/** Numbers that are names: houses, classes, scores, accounts, versions, passwords, number plates. */
import { spell } from '../../korean/letters.js';
import { byDigit, sino } from '../../korean/numbers.js';
import {
  endsWithAny,
  skipSpace,
  startsWithAny,
  wordBefore,
  wordsAfter,
  withoutParticle,
} from '../tokens/context.js';
import { digitGroups, isSymbol, textOf, type Rule } from '../tokens/rule.js';
import type { Token } from '../tokens/tokens.js';
import { readLiteral } from './literal.js';
import cues from './cues.json' with { type: 'json' };

const SCORED = cues.scores;
const CODED = cues.codes;
/** Tokens before a score in which a game may be named: 전반 38분 1-0. */
const GAME = 6;
/** Tennis sets, separated by commas. */
const MOST_SETS = 5;

/** 2-1로 이겼다: a score. 12-3: houses. 3-2반: a class. 110-123-456789: a code, digit by digit. */
export const hyphenated: Rule = {
  name: 'hyphenated',
  read(tokens, at) {
    const groups = digitGroups(tokens, at, '-');
    const [first = '', second = ''] = groups;
    if (groups.length < 2) return undefined;
    if (isCode(groups) || isLabelled(tokens, at))
      return { take: 2 * groups.length - 1, text: groups.map((digits) => byDigit(digits)).join(' ') };
    const behind = textOf(tokens[at + 3], 'hangul') ?? '';
    if (groups.length === 2 && /^반(?:[^가-힣]|$|이|은|의|에|을|과)/.test(behind))
      return { take: 3, text: `${sino(first)}학년 ${sino(second)}` };
    return { take: 2, text: `${sino(first)} ${isScore(tokens, at) ? '대' : '다시'} ` };
  },
};

/** 2-1로 이겼다, 전반 38분 1-0, and the first of 6-4, 7-5로 이겼다. */
function isScore(tokens: readonly Token[], at: number, sets = MOST_SETS): boolean {
  const [first = '', second = '', ...more] = digitGroups(tokens, at, '-');
  if (second === '' || more.length > 0 || first.length > 2 || second.length > 2 || sets === 0) return false;
  const [next, after] = wordsAfter(tokens, at + 3);
  const behind = textOf(tokens[at + 3], 'hangul') ?? next;
  if (/^(?:으?로|[승패])/.test(behind)) return true;
  if ([next, after, wordBefore(tokens, at)].some((word) => hasAny(word, SCORED))) return true;
  const words = tokens.slice(Math.max(0, at - GAME), at);
  if (words.some(({ kind, text }) => kind === 'hangul' && hasAny(text, cues.games))) return true;
  return isSymbol(tokens[at + 3], ',') && isScore(tokens, skipSpace(tokens, at + 4), sets - 1);
}

function hasAny(word: string, parts: readonly string[]): boolean {
  return parts.some((part) => word.includes(part));
}

/** 계좌번호는 ..., ISBN ...: a preceding word says that it is a code. */
function isLabelled(tokens: readonly Token[], at: number): boolean {
  const label = tokens[tokens[at - 1]?.kind === 'space' ? at - 2 : at - 1];
  return (
    cues.labels.includes(textOf(label, 'latin') ?? '') ||
    endsWithAny(withoutParticle(wordBefore(tokens, at)), CODED)
  );
}

/** Account, card and resident numbers: no house or score has as many digits. */
function isCode(groups: readonly string[]): boolean {
  const digits = groups.reduce((sum, { length }) => sum + length, 0);
  return groups.length > 2 ? digits >= 8 : digits >= 11;
}

/** 192.168.0.1, 2.1.3: addresses and versions; a decimal has one point. */
export const dotted: Rule = {
  name: 'dotted',
  read(tokens, at) {
    const groups = digitGroups(tokens, at, '.');
    if (groups.length < 3) return undefined;
    const read = (integer: string): string => readLiteral({ take: 1, integer, fraction: undefined });
    return { take: 2 * groups.length - 1, text: groups.map(read).join(' 점 ') };
  },
};

/** 비밀번호는 1234: four digits or more after a word that names codes. */
export const code: Rule = {
  name: 'code',
  read(tokens, at) {
    const digits = textOf(tokens[at], 'digits');
    if (digits === undefined || digits.length < 3 || isSymbol(tokens[at + 1], ',.-')) return undefined;
    if (!isLabelled(tokens, at)) return undefined;
    const [next] = wordsAfter(tokens, at + 1);
    if (
      tokens[at + 1]?.kind === 'hangul' &&
      startsWithAny(next, ['개', '명', '건', '원', '년', '번', '자리'])
    )
      return undefined;
    return { take: 1, text: byDigit(digits) };
  },
};

/** KE905편: an airline and a flight number. */
export const flight: Rule = {
  name: 'flight',
  read(tokens, at) {
    const airline = textOf(tokens[at], 'latin') ?? '';
    const digits = textOf(tokens[at + 1], 'digits');
    const isFlight =
      /^[A-Z]{2}$/.test(airline) && textOf(tokens[at + 2], 'hangul')?.startsWith('편') === true;
    if (!isFlight || digits === undefined) return undefined;
    return { take: 2, text: `${spell(airline)} ${byDigit(digits)}` };
  },
};

/** 12가 3456: a number plate. */
export const plate: Rule = {
  name: 'number plate',
  read(tokens, at) {
    const first = textOf(tokens[at], 'digits');
    const syllable = textOf(tokens[at + 1], 'hangul');
    const last = tokens[at + 2]?.kind === 'space' ? at + 3 : at + 2;
    const digits = textOf(tokens[last], 'digits');
    if (first === undefined || digits?.length !== 4 || syllable?.length !== 1) return undefined;
    if (first.length < 2 || first.length > 3 || !cues.plates.includes(syllable)) return undefined;
    return { take: last + 1 - at, text: `${byDigit(first)} ${syllable} ${byDigit(digits)}` };
  },
};
