/**
 * What every answer carries, whoever writes it: the id of its request, and headers that are safe for any content. A route
 * may say something else.
 */
import { ServerResponse, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';

/** An API does not need the other security headers. */
const SAFE = [
  ['x-content-type-options', 'nosniff'],
  ['x-frame-options', 'DENY'],
  ['referrer-policy', 'no-referrer'],
  ['cross-origin-resource-policy', 'same-site'],
] as const;
const SAFE_TEXT = textOf(SAFE);
const ID = 'x-request-id';

type Header = readonly [name: string, value: string];
type Headers = Readonly<OutgoingHttpHeaders> | undefined;

/** The step of Node that makes the text of the head. */
interface Head {
  _storeHeader(firstLine: string, headers: Headers): void;
}
const { _storeHeader: storeHeader } = ServerResponse.prototype as unknown as Head;

/**
 * Node looks at every letter of each header that it is given, and Fastify at every name: five of them take a tenth of the
 * time of a small request. So they go to Node as the end of the first line.
 */
export class Answer<R extends IncomingMessage = IncomingMessage> extends ServerResponse<R> implements Head {
  requestId = '';

  _storeHeader(firstLine: string, headers: Headers): void {
    const given = byName(headers);
    const safe = safeHeaders(this.statusCode, given);
    const id = given?.[ID] === undefined ? `${ID}: ${this.requestId}\r\n` : '';
    storeHeader.call(this, firstLine + (safe === SAFE ? SAFE_TEXT : textOf(safe)) + id, headers);
  }
}

/** Call it before anything is answered. `requestId` must be valid in a header. */
export function identify(answer: ServerResponse, requestId: string): void {
  if (answer instanceof Answer) answer.requestId = requestId;
  else identifyInjected(answer, requestId);
}

/** `inject` has answers of its own, which take their headers one by one. */
function identifyInjected(answer: ServerResponse, requestId: string): void {
  const writeHead = answer.writeHead.bind(answer) as (status: number, headers: Headers) => ServerResponse;
  answer.writeHead = ((status: number, headers: Headers) => {
    const all = { ...answer.getHeaders(), ...headers };
    for (const [name, value] of [...safeHeaders(status, all), [ID, requestId] as const])
      if (all[name] === undefined) answer.setHeader(name, value);
    return writeHead(status, headers);
  }) as typeof answer.writeHead;
}

/** Fastify and Node write names in lower case. What a plugin hands to `writeHead` may have `X-Frame-Options`, or be an array. */
function byName(headers: Headers): Headers {
  if (Array.isArray(headers)) return inLowerCase(headers.flat());
  // By the first letter: this is done for every answer.
  for (const name in headers) if (name.charCodeAt(0) <= Z) return inLowerCase(Object.keys(headers));
  return headers;
}

const Z = 90;

function inLowerCase(names: readonly unknown[]): Headers {
  return Object.fromEntries(names.map((name) => [String(name).toLowerCase(), '']));
}

/** A 304 has no content; those of the answer that the client has go on to hold (RFC 9110 15.4.5). */
function safeHeaders(status: number, headers: Headers): readonly Header[] {
  if (status === 304) return [];
  for (const [name] of SAFE)
    if (headers?.[name] !== undefined) return SAFE.filter(([other]) => headers[other] === undefined);
  return SAFE;
}

function textOf(headers: readonly Header[]): string {
  return headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
}
