/** Whether a number before a counter is a count (native) or a name (Sino-Korean): 자동차 열 대, 삼십대 남성. */
import { endsWithAny, startsWithAny, wordBefore, wordsAfter, withoutParticle } from '../tokens/context.js';
import { textOf } from '../tokens/rule.js';
import type { Token } from '../tokens/tokens.js';
import counters from './counters.json' with { type: 'json' };

/** Words that decide: around the counter, and at the start of the rest of its word. */
interface Sense {
  readonly sinoLeft?: readonly string[];
  readonly sinoRest?: readonly string[];
  readonly sinoNext?: readonly string[];
  /** Words after a particle: 3번을 누르세요. */
  readonly sinoNextAfterParticle?: readonly string[];
  readonly nativeLeft?: readonly string[];
  readonly nativeRest?: readonly string[];
  readonly nativeNext?: readonly string[];
}

export interface Counted {
  readonly digits: string;
  readonly counter: string;
  /** The rest of the counter's word. */
  readonly rest: string;
  /** The index of the number, and that after the counter's word. */
  readonly from: number;
  readonly to: number;
}

const SENSES: Readonly<Record<string, Sense>> = counters.sense;
const AGES = counters.sense['대'].ages;
/** The largest native number of such counters. */
const NATIVE_UP_TO: Readonly<Record<string, number>> = {
  시: 12,
  시간: 20,
  배: 19,
  가구: 19,
  표: 19,
  건: 19,
  골: 19,
};

/** Undefined if there is no evidence: the counter's default applies. */
export function senseOf(tokens: readonly Token[], counted: Counted): 'native' | 'sino' | undefined {
  const { digits, counter, rest, from, to } = counted;
  if (textOf(tokens[from - 1], 'hangul')?.endsWith('제') === true) return 'sino';
  if (Number(digits) > (NATIVE_UP_TO[counter] ?? 99)) return 'sino';
  const left = withoutParticle(wordBefore(tokens, from));
  const [next] = wordsAfter(tokens, to);
  if (counter === '대' && digits.length === 2 && digits.endsWith('0')) return tens(left, rest, next);
  if (counter === '장' && rest === '' && isVerse(tokens, to)) return 'sino';
  // 4반 17번: a pupil.
  if (counter === '번' && wordBefore(tokens, from) === '반') return 'sino';
  const sense = SENSES[counter];
  if (sense === undefined) return undefined;
  if (endsWithAny(left, sense.nativeLeft ?? []) || isMet(rest, next, sense.nativeRest, sense.nativeNext))
    return 'native';
  const isRatio = counter === '대' && rest === '' && isNumberAt(tokens, to);
  const isNamed =
    isRatio ||
    endsWithAny(left, sense.sinoLeft ?? []) ||
    isMet(rest, next, sense.sinoRest, sense.sinoNext) ||
    startsWithAny(next, sense.sinoNextAfterParticle ?? []);
  return isNamed ? 'sino' : undefined;
}

/** The next word decides only if nothing but 의 is joined to the counter: 3번의 문제 is 세 번. */
function isMet(
  rest: string,
  next: string,
  rests: readonly string[] = [],
  nexts: readonly string[] = [],
): boolean {
  if (startsWithAny(rest, rests) || startsWithAny(rest + next, rests)) return true;
  return rest === '' ? startsWithAny(next, nexts) : startsWithAny(rest, nexts) && rest.length > 1;
}

/** 5대 3: a ratio. */
function isNumberAt(tokens: readonly Token[], at: number): boolean {
  return tokens[tokens[at]?.kind === 'space' ? at + 1 : at]?.kind === 'digits';
}

/** 10대, 20대: ages, unless machines are counted. */
function tens(left: string, rest: string, next: string): 'native' | 'sino' {
  if (startsWithAny(rest, AGES) || startsWithAny(next, AGES)) return 'sino';
  const { nativeLeft, nativeNext } = counters.sense['대'];
  return endsWithAny(left, nativeLeft) || startsWithAny(next, nativeNext) ? 'native' : 'sino';
}

/** 3장 16절. */
function isVerse(tokens: readonly Token[], at: number): boolean {
  const next = tokens[at]?.kind === 'space' ? at + 1 : at;
  return tokens[next]?.kind === 'digits' && tokens[next + 1]?.text.startsWith('절') === true;
}
