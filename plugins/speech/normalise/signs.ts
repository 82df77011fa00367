/** Signs: ends of sentences and pauses stay, named signs are read, all others are dropped. */
import { isSymbol, type Rule } from './tokens/rule.js';
import type { Token } from './tokens/tokens.js';
import symbols from './symbols.json' with { type: 'json' };

const SPOKEN: Readonly<Record<string, string>> = symbols.spoken;

export const pause: Rule = {
  name: 'pause',
  read(tokens, at) {
    const token = tokens[at];
    if (token?.kind === 'break') return { take: 1, text: '\n' };
    if (isSymbol(token, '.?!,')) return { take: 1, text: token?.text ?? '' };
    if (isSymbol(token, '。')) return { take: 1, text: '.' };
    if (isSymbol(token, ';:…、·—()[]')) return { take: 1, text: ', ' };
    return undefined;
  },
};

/** An unread gloss in brackets, as in 한자(漢字): the word continues after it. */
export const gloss: Rule = {
  name: 'gloss',
  read(tokens, at) {
    if (!isSymbol(tokens[at], '([') || tokens[at - 1]?.kind !== 'hangul') return undefined;
    let end = at + 1;
    while (tokens[end]?.kind === 'other' || tokens[end]?.kind === 'hanja') end += 1;
    return end > at + 1 && isSymbol(tokens[end], ')]') ? { take: end + 1 - at, text: '' } : undefined;
  },
};

export const namedSign: Rule = {
  name: 'sign name',
  read(tokens, at) {
    const token = tokens[at];
    // Disney+, OPEC+: a name, not a sum.
    if (isSymbol(token, '+') && tokens[at - 1]?.kind === 'latin' && endsName(tokens[at + 1]))
      return { take: 1, text: '플러스' };
    const name = token?.kind === 'symbol' ? SPOKEN[token.text] : undefined;
    return name === undefined ? undefined : { take: 1, text: ` ${name} ` };
  },
};

function endsName(next: Token | undefined): boolean {
  return next?.kind !== 'latin' && next?.kind !== 'digits' && !isSymbol(next, '+=');
}

export const dropped: Rule = {
  name: 'left out',
  read: () => ({ take: 1, text: ' ' }),
};
