/**
 * What every answer carries, whoever writes it: the id of its request, and headers that are safe for any content.
 * Routes may override them.
 */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

/** An API does not need the other security headers. */
const SAFE: readonly Header[] = [
  ['x-content-type-options', 'nosniff'],
  ['x-frame-options', 'DENY'],
  ['referrer-policy', 'no-referrer'],
  ['cross-origin-resource-policy', 'same-site'],
];

type Header = readonly [name: string, value: string];

/** Call it before anything is answered. `requestId` must be valid in a header. */
export function identify(answer: ServerResponse, requestId: string): void {
  const writeHead = answer.writeHead.bind(answer) as (status: number, ...rest: unknown[]) => ServerResponse;
  answer.writeHead = ((status: number, ...rest: unknown[]) => {
    const written = namesIn(rest.at(-1));
    const add = ([name, value]: Header): void => {
      if (!written.has(name) && !answer.hasHeader(name)) answer.setHeader(name, value);
    };
    // A 304 has no content; the headers of the stored response still apply (RFC 9110 15.4.5).
    if (status !== 304) SAFE.forEach(add);
    add(['x-request-id', requestId]);
    return writeHead(status, ...rest);
  }) as typeof answer.writeHead;
}

/** In lower case. `writeHead` takes an object, or an array of names and values. */
function namesIn(headers: unknown): ReadonlySet<string> {
  const names = Array.isArray(headers)
    ? headers.flat().filter((_, at) => at % 2 === 0)
    : Object.keys((headers ?? {}) as OutgoingHttpHeaders);
  return new Set(names.map((name) => String(name).toLowerCase()));
}
