/**
 * JSON from strangers: refused before it is parsed where parsing would hold the event loop up. One pass counts what
 * parsing costs: a container or a member takes about ten times as long as a plain element of a list (1 MB of `{},`
 * 52 ms, of `1,` 17 ms, of one string 1 ms).
 */
import { kernelErrors } from './errors.js';

/** What plugins do with a value, and writing it down again, recurses. */
const MAX_DEPTH = 512;

/** 50,000 containers and members, or 500,000 plain elements. */
const MAX_COST = 500_000;
const PART_COST = 10;

/** Characters outside of strings: what the pass itself costs. */
const MAX_OUTSIDE = 2_000_000;

/** Throws the kernel's errors. The empty text is no body: clients send the content type of JSON with DELETE. */
export function parseJson(text: string): unknown {
  if (text === '') return undefined;
  assertCheap(text);
  try {
    const value = JSON.parse(text) as unknown;
    if (text.includes('__proto__') || text.includes('\\u')) refusePrototype(value);
    return value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw kernelErrors.malformed_json({ values: { reason: shortReason(error) } });
  }
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [34, 92, 44, 58];
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [91, 93, 123, 125];

function assertCheap(text: string): void {
  let depth = 0;
  let cost = 0;
  let outside = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    outside += 1;
    if (code === QUOTE) at = endOfString(text, at + 1);
    else if (code === COMMA) cost += 1;
    else if (code === COLON) cost += PART_COST;
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      depth += 1;
      cost += PART_COST;
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth -= 1;
    if (depth > MAX_DEPTH)
      throw kernelErrors.malformed_json({
        values: { reason: `it is nested deeper than ${MAX_DEPTH} levels` },
      });
    if (cost > MAX_COST || outside > MAX_OUTSIDE)
      throw kernelErrors.payload_too_large({
        message: `the JSON holds too many values: at most ${MAX_COST / PART_COST} objects, arrays and members, or ${MAX_COST} plain elements`,
      });
  }
}

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

/** V8 quotes a piece of the text in some messages; what the client sent is not repeated in full. */
function shortReason({ message }: SyntaxError): string {
  const end = message.search(/[,"]/);
  return (end === -1 ? message : message.slice(0, end)).replace(/ in JSON\b/, '').trim() || 'syntax error';
}

/** A member named `__proto__` would change prototypes when a plugin copies the object. */
function refusePrototype(value: unknown): void {
  // A loop and not a recursion: the client decides how deep its JSON is.
  const open: object[] = [];
  const push = (inner: unknown): void => {
    if (typeof inner === 'object' && inner !== null) open.push(inner);
  };
  push(value);
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    if (Array.isArray(part)) part.forEach(push);
    else if (Object.hasOwn(part, '__proto__'))
      throw kernelErrors.malformed_json({ values: { reason: 'a member may not be named "__proto__"' } });
    else for (const inner of Object.values(part)) push(inner);
  }
}
