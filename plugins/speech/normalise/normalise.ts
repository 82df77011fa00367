/** Written text to readable text: Hangul, spaces, the marks `. , ? !` and line ends. */
import { nextTurn, turnIsOver } from 'plugboard/sdk';
import { date, shortDate, weekday } from './calendar/date.js';
import { anniversary, dDay, fraction, partOfYear, shortYear } from './calendar/events.js';
import { duration, half, hundredths, primes, ratio, time } from './calendar/time.js';
import { dotBetween, hanja } from './hanja/hanja.js';
import { address } from './latin/address.js';
import { loadEnglish } from './latin/english.js';
import { formula } from './latin/formula.js';
import { jamo } from './latin/jamo.js';
import { floor, madeBy, page, partNumber, series } from './numbers/labels.js';
import { ampersand, grade, letters, listedWord, model, ordinal, roman } from './latin/letters.js';
import { listed } from './latin/words.js';
import { measure, multiplied, sign, unit } from './measures/measure.js';
import { money, price, scaled } from './measures/money.js';
import { code, dotted, flight, hyphenated, plate } from './numbers/codes.js';
import { counter, numeral, plainNumber } from './numbers/counters.js';
import { bundle, equals, equation, factorial, power, vulgarFraction } from './numbers/maths.js';
import { phone, shortPhone } from './numbers/phones.js';
import { range, span } from './numbers/ranges.js';
import { dropped, gloss, namedSign, pause } from './signs.js';
import { fittingParticle } from './tokens/particle.js';
import type { Reading, Rule } from './tokens/rule.js';
import type { Dictionary } from './dictionary.js';
import { Tidy, type Place } from './tokens/tidy.js';
import { tokenize, type Token } from './tokens/tokens.js';

export interface Change {
  readonly rule: string;
  readonly from: string;
  readonly to: string;
}

export interface Normalised {
  readonly text: string;
  readonly changes: readonly Change[];
  /** One for each character of the text. */
  readonly places: readonly Place[];
}

/** The first rule that applies wins. Names come before counts. */
const RULES: readonly Rule[] = [
  address,
  date,
  shortYear,
  time,
  hundredths,
  half,
  partOfYear,
  duration,
  primes,
  anniversary,
  shortDate,
  weekday,
  phone,
  shortPhone,
  code,
  plate,
  flight,
  dotted,
  power,
  factorial,
  bundle,
  equation,
  equals,
  price,
  money,
  scaled,
  sign,
  dDay,
  grade,
  ampersand,
  floor,
  unit,
  page,
  partNumber,
  series,
  madeBy,
  listedWord,
  formula,
  ordinal,
  roman,
  model,
  vulgarFraction,
  range,
  span,
  fraction,
  measure,
  counter,
  multiplied,
  ratio,
  hyphenated,
  plainNumber,
  numeral,
  letters,
  jamo,
  gloss,
  dotBetween,
  hanja,
  pause,
  namedSign,
  dropped,
];

/** `dictionary` goes before the rules. */
export async function normalise(input: string, dictionary?: Dictionary): Promise<Normalised> {
  const tokens = await tokenize(input, dictionary);
  if (tokens.some(isUnlistedWord)) await loadEnglish();
  const changes: Change[] = [];
  const text = new Tidy();
  for (let at = 0; at < tokens.length;) {
    if (turnIsOver()) await nextTurn();
    const token = tokens[at];
    if (token?.kind === 'hangul' || token?.kind === 'space') {
      if (token.written !== undefined) {
        changes.push({ rule: 'pronunciations', from: token.written, to: token.text });
        text.add(token.text, { from: token.at, to: token.end });
      } else {
        const copied = token.kind === 'space' ? ' ' : fittingParticle(token, tokens[at - 1], text.last);
        if (token.kind === 'hangul' && copied !== token.text) {
          changes.push({ rule: 'particle', from: token.text, to: copied });
          text.add(copied, { from: token.at, to: token.end });
        } else {
          text.copy(copied, token.at);
        }
      }
      at += 1;
      continue;
    }
    const { rule, reading } = readAt(tokens, at);
    const from = textBetween(tokens, at, at + reading.take);
    const to = reading.text + (reading.rest ?? '');
    if (from !== to) changes.push({ rule: rule.name, from, to: to.trim() });
    text.add(to, { from: token?.at ?? 0, to: tokens[at + reading.take - 1]?.end ?? 0 });
    at += reading.take;
  }
  return { ...text.end(), changes };
}

function isUnlistedWord({ kind, text }: Token): boolean {
  return kind === 'latin' && text.length > 2 && listed(text) === undefined;
}

function textBetween(tokens: readonly Token[], start: number, end: number): string {
  let text = '';
  for (let at = start; at < end; at += 1) text += tokens[at]?.text ?? '';
  return text;
}

function readAt(tokens: readonly Token[], at: number): { rule: Rule; reading: Reading } {
  for (const rule of RULES) {
    const reading = rule.read(tokens, at);
    if (reading !== undefined) return { rule, reading };
  }
  return { rule: dropped, reading: { take: 1, text: ' ' } };
}
