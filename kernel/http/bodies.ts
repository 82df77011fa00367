/** Request bodies: JSON, JSON in form encoding, and query strings with indexed arrays. */
import { parse } from 'node:querystring';
import type { FastifyRequest } from 'fastify';
import type { Routes } from '../sdk/routes.js';
import { kernelErrors } from './errors.js';

/** Of a form: a million of them would take seconds to sort into an object. */
const MAX_FIELDS = 1_000;

/**
 * An empty JSON body is an empty body, not an error: clients send the content type with DELETE. What a parser
 * throws, Fastify hands to the error handler.
 */
export function addBodyParsers(app: Routes): void {
  app.removeAllContentTypeParsers();
  // Every request is made with it, so that all have one shape.
  app.decorateRequest('bodyText', undefined);
  for (const type of ['application/json', /^application\/[\w.+-]+\+json(?:;|$)/]) {
    app.addContentTypeParser(type, { parseAs: 'string' }, (request, body: string, done) => {
      if (request.routeOptions.config.keepBodyText === true) request.bodyText = body;
      done(null, parseJson(body));
    });
  }
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (request, body: string, done) => done(null, parseForm(request, body)),
  );
}

function parseJson(text: string): unknown {
  if (text === '') return undefined;
  try {
    const value = JSON.parse(text) as unknown;
    if (text.includes('__proto__') || text.includes('\\u')) refusePrototype(value);
    return value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw kernelErrors.malformed_json({ values: { reason: shortReason(error) } });
  }
}

/** V8 quotes a piece of the text in some messages; what the client sent is not repeated in full. */
function shortReason({ message }: SyntaxError): string {
  return (
    message.replace(/, .*$|"(?:[^"\\]|\\.)*" is not valid JSON$/s, '').replace(/ in JSON\b/, '') ||
    'syntax error'
  );
}

/** A member named `__proto__` would change prototypes when a plugin copies the object. */
function refusePrototype(value: unknown): void {
  // A loop and not a recursion: the client decides how deep its JSON is.
  const open = [value];
  while (open.length > 0) {
    const part = open.pop();
    if (typeof part !== 'object' || part === null) continue;
    if (Object.hasOwn(part, '__proto__')) {
      throw kernelErrors.malformed_json({ values: { reason: 'a member may not be named "__proto__"' } });
    }
    for (const inner of Object.values(part)) open.push(inner);
  }
}

/** Some old clients send JSON with the content type of forms; a route that expects it says `config: { jsonForms: true }`. */
function parseForm(request: FastifyRequest, text: string): unknown {
  if (request.routeOptions.config.jsonForms === true && /^\s*[{[]/.test(text)) return parseJson(text);
  if (text.split('&', MAX_FIELDS + 1).length > MAX_FIELDS)
    throw kernelErrors.payload_too_large({ message: `a form may have at most ${MAX_FIELDS} fields` });
  return parseQuery(text);
}

/** A query string or form as an object: repeated names, `name[]` and `name[0]` become arrays. */
export function parseQuery(text: string): Record<string, unknown> {
  if (text === '') return {};
  // Node would drop the names behind the thousandth in silence.
  const flat = parse(text, '&', '=', { maxKeys: 0 }) as Record<string, unknown>;
  if (!text.includes('[') && !/%5b/i.test(text)) return flat;
  const folded: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [key, value] of Object.entries(flat)) {
    const name = /^(.+?)\[\d*\]$/.exec(key)?.[1];
    const there = folded[name ?? key];
    if (name === undefined && there === undefined) folded[key] = value;
    else folded[name ?? key] = [...asArray(there), ...asArray(value)];
  }
  return folded;
}

function asArray(value: unknown): unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}
