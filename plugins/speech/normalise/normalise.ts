/** Text as people write it to text as it is read: Hangul, spaces and the marks `. , ? !` and line ends. */
import { date, fraction, ratio, time } from './calendar.js';
import { counter, plainNumber, range } from './counters.js';
import { address, jamo, listedWord, spelled } from './letters.js';
import { hyphenated, measure, money, multiplied, phone, sign } from './quantities.js';
import type { Reading, Rule } from './rule.js';
import { dropped, gloss, namedSign, pause } from './signs.js';
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
  phone,
  money,
  sign,
  listedWord,
  range,
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

export function normalise(input: string): Normalised {
  const tokens = tokenize(input);
  const changes: Change[] = [];
  let text = '';
  for (let at = 0; at < tokens.length;) {
    const token = tokens[at];
    if (token?.kind === 'hangul' || token?.kind === 'space') {
      text += token.kind === 'space' ? ' ' : token.text;
      at += 1;
      continue;
    }
    const { rule, reading } = readAt(tokens, at);
    const from = tokens
      .slice(at, at + reading.take)
      .map((part) => part.text)
      .join('');
    const to = reading.text + (reading.rest ?? '');
    if (from !== to) changes.push({ rule: rule.name, from, to: to.trim() });
    text += to;
    at += reading.take;
  }
  return { text: tidy(text), changes };
}

function readAt(tokens: readonly Token[], at: number): { rule: Rule; reading: Reading } {
  for (const rule of RULES) {
    const reading = rule.read(tokens, at);
    if (reading !== undefined) return { rule, reading };
  }
  return { rule: dropped, reading: { take: 1, text: ' ' } };
}

/** One space between words, none before a mark, no mark at the start of a line. */
function tidy(text: string): string {
  let out = '';
  for (const character of text) {
    const last = out.at(-1) ?? '\n';
    if (character === '\n') {
      out = out.trimEnd();
      if (out !== '') out += '\n';
    } else if (character.trim() === '') {
      if (last !== ' ' && last !== '\n') out += ' ';
    } else if ('.,?!'.includes(character)) {
      if (last === ' ') out = out.slice(0, -1);
      const before = out.at(-1) ?? '\n';
      if (before === '\n') continue;
      if (!'.,?!'.includes(before)) out += character;
      else if (before === ',' && character !== ',') out = out.slice(0, -1) + character;
    } else {
      out += '.,?!'.includes(last) ? ` ${character}` : character;
    }
  }
  const trimmed = out.trim();
  return trimmed.endsWith(',') ? trimmed.slice(0, -1) : trimmed;
}
