/** Text as people write it to text as it is read: Hangul, spaces and the marks `. , ? !` and line ends. */
import { nextTurn, turnIsOver } from 'plugboard/sdk';
import { anniversary, date, fraction, ratio, time } from './calendar.js';
import { counter, plainNumber, range, span } from './counters.js';
import { address, jamo, listedWord, spelled } from './letters.js';
import { phone, shortPhone } from './phones.js';
import { dotted, hyphenated, measure, money, multiplied, sign } from './quantities.js';
import type { Reading, Rule } from './rule.js';
import { dropped, gloss, namedSign, pause } from './signs.js';
import { Tidy } from './tidy.js';
import { tokenize, type Token } from './tokens.js';

export interface Change {
  readonly rule: string;
  readonly from: string;
  readonly to: string;
}

export interface Normalised {
  readonly text: string;
  readonly changes: readonly Change[];
}

/** The first that applies reads. What names something comes before what counts. */
const RULES: readonly Rule[] = [
  address,
  date,
  time,
  anniversary,
  phone,
  shortPhone,
  dotted,
  money,
  sign,
  listedWord,
  range,
  span,
  fraction,
  measure,
  counter,
  multiplied,
  ratio,
  hyphenated,
  plainNumber,
  spelled,
  jamo,
  gloss,
  pause,
  namedSign,
  dropped,
];

export async function normalise(input: string): Promise<Normalised> {
  const tokens = await tokenize(input);
  const changes: Change[] = [];
  const text = new Tidy();
  for (let at = 0; at < tokens.length;) {
    if (turnIsOver()) await nextTurn();
    const token = tokens[at];
    if (token?.kind === 'hangul' || token?.kind === 'space') {
      text.add(token.kind === 'space' ? ' ' : token.text);
      at += 1;
      continue;
    }
    const { rule, reading } = readAt(tokens, at);
    const from = textBetween(tokens, at, at + reading.take);
    const to = reading.text + (reading.rest ?? '');
    if (from !== to) changes.push({ rule: rule.name, from, to: to.trim() });
    text.add(to);
    at += reading.take;
  }
  return { text: text.end(), changes };
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
