/** Web and e-mail addresses, sign by sign. */
import { spell } from '../../korean/letters.js';
import { byDigit } from '../../korean/numbers.js';
import { isSymbol, type Rule } from '../tokens/rule.js';
import type { Token } from '../tokens/tokens.js';
import signs from './signs.json' with { type: 'json' };
import { wordReading } from './words.js';

const ADDRESS: Readonly<Record<string, string>> = signs.address;
/** Tokens of the longest address; longer ones are read as letters and signs. */
const LONGEST_ADDRESS = 256;

/** https://example.com/a and name@example.com, sign by sign, without the scheme and www. */
export const address: Rule = {
  name: 'address',
  read(tokens, at) {
    // Only at the start of a run, so that each run is scanned once.
    if (!isAddressPart(tokens[at]) || isAddressPart(tokens[at - 1])) return undefined;
    let end = at;
    while (isAddressPart(tokens[end])) {
      end += 1;
      if (end - at > LONGEST_ADDRESS) return undefined;
    }
    // Closing punctuation belongs to the sentence.
    while (end > at && isSymbol(tokens[end - 1], '.,?!:')) end -= 1;
    const parts = tokens.slice(at, end);
    const scheme = parts.findIndex(
      (part, index) => part.text === ':' && parts[index + 1]?.text === '/' && parts[index + 2]?.text === '/',
    );
    const isWeb = scheme === 1 || (parts[0]?.text.toLowerCase() === 'www' && parts[1]?.text === '.');
    const isBare = scheme !== 1 && isDomain(parts);
    const isMail = parts[0]?.kind !== 'symbol' && parts.slice(1, -1).some(({ text }) => text === '@');
    if (!isWeb && !isMail && !isBare) return undefined;
    const host = scheme === 1 ? 4 : 0;
    const isWorldWide = parts[host]?.text.toLowerCase() === 'www' && parts[host + 1]?.text === '.';
    const spoken = parts.slice(isWorldWide ? host + 2 : host).map(readPart);
    return { take: end - at, text: spoken.join(' ').replaceAll('점 컴', '닷컴') };
  },
};

function isAddressPart(token: Token | undefined): boolean {
  return (
    token?.kind === 'latin' ||
    token?.kind === 'digits' ||
    (token?.kind === 'symbol' && (token.text in ADDRESS || token.text === ','))
  );
}

function readPart({ kind, text }: Token): string {
  if (kind === 'digits') return byDigit(text);
  if (kind === 'latin') return wordReading(text) ?? spell(text);
  return ADDRESS[text] ?? '';
}

/** naver.com: a name, a point and a top-level domain. */
function isDomain(parts: readonly Token[]): boolean {
  const at = parts.findIndex(({ text }) => text === '.');
  return (
    at > 0 &&
    parts.slice(at).some(({ text }, index) => index % 2 === 1 && signs.domains.includes(text.toLowerCase()))
  );
}
