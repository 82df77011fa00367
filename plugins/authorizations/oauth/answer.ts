/** Answers in the format that the client accepts: JSON, XML, or as GitHub does without an `Accept`, a form. */
import type { Reply, Request } from 'plugboard/sdk';

type Members = Readonly<Record<string, string | number | undefined>>;

/** Responses differ by caller and hold secrets. */
const PRIVATE = { 'cache-control': 'no-store', vary: 'Accept' } as const;

export function answer(request: Request, reply: Reply, members: object): unknown {
  const entries = Object.entries(members as Members)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]): [string, string] => [name, String(value)]);
  const accept = request.headers.accept ?? '';
  reply.headers(PRIVATE);
  if (/\bjson\b/.test(accept)) return reply.send(members);
  if (/\bxml\b/.test(accept)) {
    const elements = entries.map(([name, value]) => `<${name}>${escaped(value)}</${name}>`).join('');
    return reply
      .type('application/xml; charset=utf-8')
      .send(`<?xml version="1.0" encoding="UTF-8"?><OAuth>${elements}</OAuth>`);
  }
  return reply
    .type('application/x-www-form-urlencoded; charset=utf-8')
    .send(new URLSearchParams(entries).toString());
}

/** Escapes text for elements and attributes of HTML and XML. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
