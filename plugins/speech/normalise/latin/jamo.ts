/** Single jamo: ㅋㅋ is laughter; a single ㄱ has a name. */
import { textOf, type Rule } from '../tokens/rule.js';
import signs from './signs.json' with { type: 'json' };

const JAMO: Readonly<Record<string, string>> = signs.jamo;
const LAUGHTER: Readonly<Record<string, string>> = signs.laughter;
/** Further repetitions are not read: ㅋㅋㅋㅋㅋㅋ. */
const MOST_LAUGHTER = 3;

export const jamo: Rule = {
  name: 'jamo',
  read(tokens, at) {
    const text = textOf(tokens[at], 'jamo');
    if (text === undefined) return undefined;
    const first = text.charAt(0);
    const isRepeated = text.length > 1 && Array.from(text).every((letter) => letter in LAUGHTER);
    if (!isRepeated) return { take: 1, text: Array.from(text, (letter) => JAMO[letter] ?? '').join(' ') };
    const shown = Array.from(text).slice(0, MOST_LAUGHTER);
    return { take: 1, text: shown.map((letter) => LAUGHTER[letter] ?? first).join('') };
  },
};
