/** JSON from strangers: refused before it is parsed where parsing would hold the event loop up. */
import { jsonFault } from '../sdk/json.js';
import { kernelErrors } from './errors.js';

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
