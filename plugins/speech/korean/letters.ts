/** The names of the Latin letters. */
import table from './letters.json' with { type: 'json' };

const LETTERS: Readonly<Record<string, string>> = {
  ...table.letters,
  μ: '뮤',
  Ω: '오메가',
};

/** Letter by letter; skips everything else. */
export function spell(text: string): string {
  let reading = '';
  for (const letter of text) reading += LETTERS[letter.toLowerCase()] ?? LETTERS[letter] ?? '';
  return reading;
}
