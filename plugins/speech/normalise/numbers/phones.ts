/** Telephone numbers, digit by digit. */
import { byDigit } from '../../korean/numbers.js';
import { endsWithAny, startsWithAny, wordBefore, wordsAfter } from '../tokens/context.js';
import { digitGroups, isSymbol, textOf, type Reading, type Rule } from '../tokens/rule.js';
import type { Token } from '../tokens/tokens.js';
import cues from './cues.json' with { type: 'json' };

/** Service numbers of three and four digits. */
const SERVICES = new Set(cues.services);

/** 010-1234-5678, 010 1234 5678, 1588-1234, +82 10-1234-5678, (02)123-4567, 02)123-4567. */
export const phone: Rule = {
  name: 'phone',
  read: (tokens, at) => international(tokens, at) ?? behindArea(tokens, at) ?? national(tokens, at),
};

function international(tokens: readonly Token[], at: number): Reading | undefined {
  if (!isSymbol(tokens[at], '+')) return undefined;
  const groups: string[] = [];
  let next = at + 1;
  for (;;) {
    const digits = textOf(tokens[next], 'digits');
    if (digits === undefined || groups.length === 4) return undefined;
    groups.push(digits);
    next += 1;
    const joins = isSymbol(tokens[next], '-') || tokens[next]?.kind === 'space';
    if (!joins || tokens[next + 1]?.kind !== 'digits') break;
    next += 1;
  }
  if (groups.length < 3 || groups.at(-1)?.length !== 4) return undefined;
  return { take: next - at, text: `플러스 ${spoken(groups)}` };
}

/** The area code in brackets, or with the closing one only. */
function behindArea(tokens: readonly Token[], at: number): Reading | undefined {
  const areaAt = isSymbol(tokens[at], '(') ? at + 1 : at;
  const area = textOf(tokens[areaAt], 'digits');
  if (area === undefined || !isSymbol(tokens[areaAt + 1], ')')) return undefined;
  const restAt = areaAt + (tokens[areaAt + 2]?.kind === 'space' ? 3 : 2);
  const groups = [area, ...digitGroups(tokens, restAt, '-')];
  return isNumber(groups) ? { take: restAt + 3 - at, text: spoken(groups) } : undefined;
}

function national(tokens: readonly Token[], at: number): Reading | undefined {
  for (const joint of ['-', '.', ' ']) {
    const groups = digitGroups(tokens, at, joint);
    const isPhone =
      joint === '-'
        ? isNumber(groups) || isService(groups)
        : isNumber(groups) && (joint === '.' || isMobile(groups[0]) || isArea(groups[0]));
    if (isPhone) return { take: 2 * groups.length - 1, text: spoken(groups) };
  }
  return undefined;
}

function isNumber([first = '', second = '', third, ...more]: readonly string[]): boolean {
  return /^0\d{1,3}$/.test(first) && /^\d{3,4}$/.test(second) && third?.length === 4 && more.length === 0;
}

function isService([first = '', second, ...more]: readonly string[]): boolean {
  return /^1[5-8]\d\d$/.test(first) && second?.length === 4 && more.length === 0;
}

/** 02, 031 and so on: an area code, or an internet phone. */
function isArea(first = ''): boolean {
  return /^0(?:2|[3-6][1-5]|70|80|50\d?)$/.test(first);
}

/** Spaces and points join other numbers too; after these digits they join a telephone number. */
function isMobile(first = ''): boolean {
  return /^01\d$/.test(first);
}

function spoken(groups: readonly string[]): string {
  return groups.map((digits) => byDigit(digits)).join(' ');
}

/** 119에 신고, 119구급대, 국번 없이 120: without such words the number is a count. */
export const shortPhone: Rule = {
  name: 'short phone',
  read(tokens, at) {
    const digits = textOf(tokens[at], 'digits');
    if (digits === undefined || !SERVICES.has(digits)) return undefined;
    if (isSymbol(tokens[at - 1], '.,-/') || isSymbol(tokens[at + 1], '.,-%')) return undefined;
    return isCalled(tokens, at) || isListed(tokens, at) ? { take: 1, text: byDigit(digits) } : undefined;
  },
};

function isCalled(tokens: readonly Token[], at: number): boolean {
  const joined = textOf(tokens[at + 1], 'hangul') ?? '';
  const [first, second] = wordsAfter(tokens, at + 1);
  if (startsWithAny(first, cues.called)) return true;
  if (endsWithAny(wordBefore(tokens, at), cues.calledLeft) || isSymbol(tokens[skipBack(tokens, at)], '☎'))
    return joined === '' || isParticle(joined) || joined.startsWith('번');
  // 불이 나면 119로.
  if (/^으?로$/.test(joined) && second === '') return true;
  if (isParticle(joined)) return startsWithAny(second, cues.calledVerb) || /^(?:에다|에게)/.test(joined);
  return joined.startsWith('번') && startsWithAny(second, cues.calledVerb);
}

/** 112·119에 신고: the other number decides for this one. */
function isListed(tokens: readonly Token[], at: number): boolean {
  if (!isSymbol(tokens[at + 1], '·/,')) return false;
  const next = tokens[at + 2]?.kind === 'space' ? at + 3 : at + 2;
  return SERVICES.has(textOf(tokens[next], 'digits') ?? '') && isCalled(tokens, next);
}

function isParticle(text: string): boolean {
  return /^(?:에|로|으로|에다|을|를|이나|나|또는)$/.test(text);
}

function skipBack(tokens: readonly Token[], at: number): number {
  return tokens[at - 1]?.kind === 'space' ? at - 2 : at - 1;
}
