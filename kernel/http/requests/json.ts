/** Untrusted JSON: refused before parsing if that would block the event loop. */
import { hasLoneSurrogate, jsonFault } from '../../sdk/http/json.js';
import { inTurns, nextTurn, turnIsOver } from '../../sdk/kit/turns.js';
import { kernelErrors } from '../errors.js';

/**
 * Throws the kernel's errors. An empty text counts as a missing body: clients send JSON's content type with DELETE.
 * `anyText` allows lone surrogates in strings.
 */
export function parseJson(text: string, anyText: boolean): unknown {
  if (text === '') return undefined;
  assertCheap(text);
  const value = parsed(text);
  if (isSuspect(text)) for (const _ of refuseStrings(text, value, anyText));
  return value;
}

/** The same, spread over later turns of the event loop; the caller's use of the value should be too. */
export async function parseJsonInTurns(text: string, anyText: boolean): Promise<unknown> {
  await nextTurn();
  assertCheap(text);
  if (turnIsOver()) await nextTurn();
  const value = parsed(text);
  if (turnIsOver()) await nextTurn();
  if (isSuspect(text)) await inTurns(refuseStrings(text, value, anyText));
  if (turnIsOver()) await nextTurn();
  return value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw kernelErrors.malformed_json({ values: { reason: shortReason(error) } });
  }
}

function assertCheap(text: string): void {
  const fault = jsonFault(text);
  if (fault === undefined) return;
  const { kind, reason } = fault;
  throw kind === 'too deep'
    ? kernelErrors.malformed_json({ values: { reason } })
    : kernelErrors.payload_too_large({ message: `the JSON is refused: ${reason}` });
}

/** Some of V8's messages quote the text, which an answer must not repeat in full. */
function shortReason({ message }: SyntaxError): string {
  const end = message.search(/[,"]/);
  return (end === -1 ? message : message.slice(0, end)).replace(/ in JSON\b/, '').trim() || 'syntax error';
}

/** Whether a string may contain what `refuseStrings` refuses. */
function isSuspect(text: string): boolean {
  return text.includes('\\u') || text.includes('__proto__');
}

/**
 * Lone surrogates are not Unicode; a member named `__proto__` would change prototypes when a plugin copies the object.
 * Yields after each container.
 */
function* refuseStrings(text: string, value: unknown, anyText: boolean): Generator<undefined, void> {
  if (!anyText && hasLoneSurrogate(text))
    throw kernelErrors.malformed_json({ values: { reason: 'a string holds half of a surrogate pair' } });
  yield;
  // A loop, not recursion: the client decides how deep its JSON is.
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
