/**
 * Estimates the cost of parsing untrusted JSON in one pass over its text. A container or a member takes about ten times
 * as long as a plain array element (1 MB of `{},` 52 ms, of `1,` 17 ms, of one string 1 ms), and a member with a new
 * name twice as long again.
 */

/** Plugins' code and serialization recurse over a value. */
const MAX_DEPTH = 512;

/** 50,000 containers and members, or 500,000 plain elements. */
const MAX_COST = 500_000;
const PART_COST = 10;

/** Distinct member names. Collected only after the first half as many members: most texts have fewer. */
const MAX_NAMES = 10_000;

/** Characters outside strings: the cost of the pass itself. */
const MAX_OUTSIDE = 2_000_000;

interface JsonFault {
  readonly kind: 'too deep' | 'too large';
  /** A sentence about the text, without its subject: `it is nested deeper than 512 levels`. */
  readonly reason: string;
}

const TOO_DEEP: JsonFault = {
  kind: 'too deep',
  reason: `it is nested deeper than ${MAX_DEPTH} levels`,
};
const TOO_MANY_VALUES: JsonFault = {
  kind: 'too large',
  reason: `it holds too many values: at most ${MAX_COST / PART_COST} objects, arrays and members, or ${MAX_COST} plain elements`,
};
const TOO_MANY_NAMES: JsonFault = {
  kind: 'too large',
  reason: `its members have too many different names: at most ${MAX_NAMES}`,
};

const [QUOTE, BACKSLASH, COMMA, COLON, LETTER_U] = [34, 92, 44, 58, 117];
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [91, 93, 123, 125];

/** Why a text is refused before it is parsed; undefined if it is cheap to parse. */
export function jsonFault(text: string): JsonFault | undefined {
  // Too short to reach any bound, as most bodies are.
  if (text.length <= MAX_DEPTH) return undefined;
  let depth = 0;
  let cost = 0;
  let outside = 0;
  let members = 0;
  /** Where the last string is. */
  let start = 0;
  let end = 0;
  const names = new Set<string>();
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    outside += 1;
    if (code === QUOTE) {
      start = at + 1;
      end = at = endOfString(text, start);
    } else if (code === COMMA) cost += 1;
    else if (code === COLON) {
      cost += PART_COST;
      members += 1;
      if (members > MAX_NAMES / 2) {
        names.add(text.slice(start, Math.min(end, start + NAME_LOOKED_AT)));
        if (names.size > MAX_NAMES / 2) return TOO_MANY_NAMES;
      }
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      depth += 1;
      cost += PART_COST;
      if (depth > MAX_DEPTH) return TOO_DEEP;
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth -= 1;
    if (cost > MAX_COST || outside > MAX_OUTSIDE) return TOO_MANY_VALUES;
  }
  return undefined;
}

/** Whether a value of untrusted JSON exhausts the stack of what recurses over it, such as `JSON.stringify`. */
export function isTooDeep(text: string): boolean {
  if (text.length <= MAX_DEPTH) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at + 1);
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) depth += 1;
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth -= 1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

/** Longer names cannot be numerous. */
const NAME_LOOKED_AT = 200;

/** The place of the quote that ends the string, or the end of the text. */
function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 1)) {
    // An even number of backslashes in front escape each other.
    let first = at;
    while (first > from && text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
    if ((at - first) % 2 === 0) return at;
  }
  return text.length;
}

const ESCAPED_SURROGATE = /\\u[dD][89a-fA-F]/;

/**
 * Whether a string of the JSON holds a lone surrogate, which is not Unicode, so neither stores nor clients accept it.
 * Only an escape can write one, as UTF-8 decoders reject them.
 */
export function hasLoneSurrogate(json: string): boolean {
  if (!ESCAPED_SURROGATE.test(json)) return false;
  /** Where the second half of the pair must begin. */
  let second = -1;
  for (let at = json.indexOf('\\'); at !== -1; at = json.indexOf('\\', at)) {
    if (second !== -1 && second !== at) return true;
    const isUnit = json.charCodeAt(at + 1) === LETTER_U;
    const kind = isUnit ? Number.parseInt(json.slice(at + 2, at + 6), 16) & 0xfc00 : 0;
    const isSecond = kind === 0xdc00;
    if (isSecond !== (second === at)) return true;
    at += isUnit ? 6 : 2;
    second = kind === 0xd800 ? at : -1;
  }
  return second !== -1;
}
