/** Text cut into runs of one kind. Compatibility forms of letters, digits and units become plain first. */
import { nextTurn, turnIsOver } from 'plugboard/sdk';
import { isSyllable } from '../../korean/hangul.js';
import { isWordStart, type Dictionary } from '../dictionary.js';
import characters from './characters.json' with { type: 'json' };

export type TokenKind =
  | 'digits'
  | 'hangul'
  | 'hanja'
  | 'jamo'
  | 'latin'
  /** A numeral that is a name: Ⅲ, ③. Its text is in digits. */
  | 'numeral'
  | 'space'
  | 'break'
  | 'symbol'
  | 'other';

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  /** Its range in the input. */
  readonly at: number;
  readonly end: number;
  /** The input, if a dictionary gave its reading: `text`. */
  readonly written?: string;
}

/** Runs of these kinds make one token; of other kinds each character is a token. */
const RUNS = new Set<TokenKind>(['digits', 'hangul', 'hanja', 'jamo', 'latin', 'space']);
/** Expansions of single characters, such as ㎏, and of spelling variants. */
const PLAIN: Readonly<Record<string, string>> = characters.plain;
/** Chinese characters that count after digits: 5日, 3億. */
const COUNTING: Readonly<Record<string, string>> = characters.counting;

export async function tokenize(input: string, dictionary?: Dictionary): Promise<Token[]> {
  const text = input.normalize('NFC');
  const tokens: Token[] = [];
  let run: { kind: TokenKind; text: string; at: number; end: number } | undefined;
  for (let at = 0, end = 0; at < text.length; at = end) {
    if (turnIsOver()) await nextTurn();
    const entry =
      dictionary !== undefined && isWordStart(text, at) ? dictionary.entryAt(text, at) : undefined;
    if (entry !== undefined) {
      end = at + entry.written.length;
      tokens.push({ kind: 'hangul', text: entry.spoken, at, end, written: entry.written });
      run = undefined;
      continue;
    }
    const written = String.fromCodePoint(text.codePointAt(at) ?? 0);
    end = at + written.length;
    const numeral = numeralOf(written);
    if (numeral !== undefined) {
      run = { kind: 'numeral', text: numeral, at, end };
      tokens.push(run);
      continue;
    }
    const counts = run?.kind === 'digits' ? COUNTING[written] : undefined;
    for (const character of counts ?? plain(written)) {
      const kind = kindOf(character);
      if (run !== undefined && run.kind === kind && RUNS.has(kind)) {
        run.text += character;
        run.end = end;
      } else {
        run = { kind, text: character, at, end };
        tokens.push(run);
      }
    }
  }
  return tokens;
}

/** Compatibility characters one by one: NFKC over the whole text would take jamo apart. */
function plain(character: string): string {
  return PLAIN[character] ?? (isCompatibility(character) ? character.normalize('NFKC') : character);
}

/** Ⅲ and ③ are numbers, neither letters nor counts of what follows. */
function numeralOf(character: string): string | undefined {
  const code = character.codePointAt(0) ?? 0;
  if ((code >= 0x2160 && code <= 0x216b) || (code >= 0x2170 && code <= 0x217b))
    return String((code & 0xf) + 1);
  return code >= 0x2460 && code <= 0x2473 ? String(code - 0x245f) : undefined;
}

/** Full-width forms, letters in circles and in brackets. */
function isCompatibility(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  return (
    (code >= 0xff01 && code <= 0xff5e) ||
    (code >= 0x2460 && code <= 0x24ff) ||
    (code >= 0x3200 && code <= 0x32ff)
  );
}

function kindOf(character: string): TokenKind {
  const code = character.codePointAt(0) ?? 0;
  if (code >= 0x30 && code <= 0x39) return 'digits';
  if (isSyllable(character)) return 'hangul';
  if ((code >= 0x4e00 && code <= 0x9fff) || (code >= 0x3400 && code <= 0x4dbf)) return 'hanja';
  if (code >= 0x3131 && code <= 0x3163) return 'jamo';
  if (
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x61 && code <= 0x7a) ||
    character === 'μ' ||
    character === 'Ω'
  )
    return 'latin';
  if (character === '\n' || character === '\r' || code === 0x2028 || code === 0x2029) return 'break';
  if (code === 0x20 || code === 0x09 || code === 0xa0 || code === 0x3000 || code === 0x200b) return 'space';
  return isSpoken(code) ? 'symbol' : 'other';
}

/** ASCII punctuation, Latin-1 signs, general punctuation, currency, letterlike, arrows and mathematical operators. */
function isSpoken(code: number): boolean {
  if (code < 0x80) return code > 0x20 && code < 0x7f;
  return (
    (code >= 0xa1 && code <= 0xbf) ||
    code === 0xd7 ||
    code === 0xf7 ||
    (code >= 0x2010 && code <= 0x2027) ||
    (code >= 0x2030 && code <= 0x205e) ||
    (code >= 0x2070 && code <= 0x207f) ||
    (code >= 0x20a0 && code <= 0x20bf) ||
    (code >= 0x2100 && code <= 0x215f) ||
    (code >= 0x2190 && code <= 0x21ff) ||
    (code >= 0x2200 && code <= 0x22ff) ||
    (code >= 0x3001 && code <= 0x301f)
  );
}
