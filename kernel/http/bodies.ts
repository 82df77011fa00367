/** Request bodies: JSON, JSON in form encoding, and query strings with indexed arrays. */
import { parse } from 'node:querystring';
import type { FastifyRequest } from 'fastify';
import type { Routes } from '../sdk/routes.js';
import { kernelErrors } from './errors.js';

/** Of JSON: what plugins do with it, and writing it down again, recurses. */
const MAX_DEPTH = 512;

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
  if (isDeeperThan(MAX_DEPTH, text))
    throw kernelErrors.malformed_json({ values: { reason: `it is nested deeper than ${MAX_DEPTH} levels` } });
  try {
    const value = JSON.parse(text) as unknown;
    if (text.includes('__proto__') || text.includes('\\u')) refusePrototype(value);
    return value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw kernelErrors.malformed_json({ values: { reason: shortReason(error) } });
  }
}

/** Whether brackets that are no part of a string are open `depth` times at once. */
function isDeeperThan(depth: number, text: string): boolean {
  if (text.length <= 2 * depth) return false;
  let open = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at + 1);
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) open += 1;
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) open -= 1;
    if (open > depth) return true;
  }
  return false;
}

/** The place of the quote that ends the string, or the end of the text. */
function endOfString(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
}

const [QUOTE, BACKSLASH, OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [34, 92, 123, 125, 91, 93];

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
