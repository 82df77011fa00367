/** JSON from strangers: refused before it is parsed where parsing would hold the event loop up. */
import { hasLoneSurrogate, jsonFault } from '../sdk/json.js';
import { inTurns, nextTurn } from '../sdk/turns.js';
import { kernelErrors } from './errors.js';

/**
 * Throws the kernel's errors. An empty text is read as a missing body: clients send the content type of JSON with DELETE.
 * `anyText` allows half of a surrogate pair in a string.
 */
export function parseJson(text: string, anyText: boolean): unknown {
  if (text === '') return undefined;
  assertCheap(text);
  const value = parsed(text);
  if (!anyText) assertUnicode(text);
  if (mayHavePrototype(text)) for (const _ of refusePrototype(value));
  return value;
}

/** The same in one turn of the event loop. */
export async function parseJsonInTurn(
  body: Buffer,
  anyText: boolean,
): Promise<{ text: string; value: unknown }> {
  await nextTurn();
  const text = body.toString();
  return { text, value: parseJson(text, anyText) };
}

/** The same in several turns; what the caller does with the value has a turn of its own. */
export async function parseLargeJson(
  body: Buffer,
  anyText: boolean,
): Promise<{ text: string; value: unknown }> {
  await nextTurn();
  const text = body.toString();
  await nextTurn();
  assertCheap(text);
  await nextTurn();
  const value = parsed(text);
  await nextTurn();
  if (!anyText) assertUnicode(text);
  if (mayHavePrototype(text)) await inTurns(refusePrototype(value));
  await nextTurn();
  return { text, value };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw kernelErrors.malformed_json({ values: { reason: shortReason(error) } });
  }
}

function mayHavePrototype(text: string): boolean {
  return text.includes('__proto__') || text.includes('\\u');
}

function assertCheap(text: string): void {
  const fault = jsonFault(text);
  if (fault === undefined) return;
  const { kind, reason } = fault;
  throw kind === 'too deep'
    ? kernelErrors.malformed_json({ values: { reason } })
    : kernelErrors.payload_too_large({ message: `the JSON is refused: ${reason}` });
}

function assertUnicode(text: string): void {
  if (hasLoneSurrogate(text))
    throw kernelErrors.malformed_json({ values: { reason: 'a string holds half of a surrogate pair' } });
}

/** Some of V8's messages quote the text, which an answer must not repeat in full. */
function shortReason({ message }: SyntaxError): string {
  const end = message.search(/[,"]/);
  return (end === -1 ? message : message.slice(0, end)).replace(/ in JSON\b/, '').trim() || 'syntax error';
}

/** A member named `__proto__` would change prototypes when a plugin copies the object. Yields after each container. */
function* refusePrototype(value: unknown): Generator<undefined, void> {
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
    yield;
  }
}
