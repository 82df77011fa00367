/** An estimate of how many tokens a text costs a language model, without the model's tokenizer. */

const PIECE =
  /(?<cjk>[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]+)|(?<latin>[A-Za-z]+)|(?<digits>\p{N}+)|(?<letters>[\p{L}\p{M}]+)|(?<lines>\n+)|\S/gu;

/**
 * Tokens of a text, 0 for an empty one: a Chinese, Japanese or Korean character is one, a Latin word one for
 * each six letters begun, digits one for each three, letters of other alphabets one for each two, and a sign
 * one. Follows the byte-pair vocabularies in use (cl100k, o200k), which merge whole English words and hardly
 * any characters of the others.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const { 0: piece, groups } of text.matchAll(PIECE)) {
    if (groups?.['cjk'] !== undefined) tokens += charactersOf(piece);
    else if (groups?.['latin'] !== undefined) tokens += Math.ceil(piece.length / 6);
    else if (groups?.['digits'] !== undefined) tokens += Math.ceil(piece.length / 3);
    else if (groups?.['letters'] !== undefined) tokens += Math.ceil(piece.length / 2);
    else tokens += 1;
  }
  return tokens;
}

/** Characters, not UTF-16 units: rare Chinese characters are two of these. */
function charactersOf(text: string): number {
  let characters = 0;
  for (const _ of text) characters += 1;
  return characters;
}
