/** Estimates how many tokens a text costs a language model, without the model's tokenizer. */

/** Character classes, numbered from 1. */
const KINDS = [
  /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]$/u,
  /^[A-Za-z]$/,
  /^\p{N}$/u,
  /^[\p{L}\p{M}]$/u,
  /^\s$/,
];
const CJK = 1;
const LATIN = 2;
const LETTER = 4;
const SPACE = 5;
const SIGN = 6;
/** UTF-16 units per token, by class. */
const UNITS = [0, 1, 6, 3, 2];

/** Cache of classes by UTF-16 unit: a regular expression per character is ten times slower. */
const known = new Uint8Array(0x10000);

/**
 * Tokens of a text, 0 for an empty one: one per Chinese, Japanese or Korean character, one per six Latin letters of a
 * word (rounded up), one per three digits, one per two letters of other alphabets, one per symbol, one per run of line
 * breaks. Follows common byte-pair vocabularies (cl100k, o200k), which merge whole English words and few characters of
 * other scripts.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (let at = 0; at < text.length;) {
    const kind = kindAt(text, at);
    const start = at;
    at += unitsAt(text, at);
    if (kind === SPACE) tokens += text[start] === '\n' && text[at] !== '\n' ? 1 : 0;
    else if (kind === SIGN || kind === CJK) tokens += 1;
    else {
      while (at < text.length && goesOn(kind, kindAt(text, at))) at += unitsAt(text, at);
      tokens += Math.ceil((at - start) / UNITS[kind]!);
    }
  }
  return tokens;
}

/** A word of another alphabet may contain Latin letters: "für". */
function goesOn(kind: number, next: number): boolean {
  return next === kind || (kind === LETTER && next === LATIN);
}

function kindAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if (unitsAt(text, at) === 2) return kindOf(text.slice(at, at + 2));
  return (known[unit] ||= kindOf(text[at]!));
}

/** Characters outside the BMP take two units. */
function unitsAt(text: string, at: number): number {
  return (text.charCodeAt(at) & 0xfc00) === 0xd800 ? 2 : 1;
}

function kindOf(character: string): number {
  const index = KINDS.findIndex((kind) => kind.test(character));
  return index < 0 ? SIGN : index + 1;
}
