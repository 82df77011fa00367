/** Request bodies of routes that take one (JSON, JSON in form encoding, or a form), and query strings. */
import { parse } from 'node:querystring';
import { Readable } from 'node:stream';
import type { FastifyRequest, preParsingHookHandler, RouteOptions } from 'fastify';
import type { Routes } from '../../sdk/http/routes.js';
import { kernelErrors } from '../errors.js';
import { bodyFault } from '../../sdk/http/body-text.js';
import { turnIsOver } from '../../sdk/kit/turns.js';
import { parseJson, parseJsonInTurns } from './json.js';

/** A million would take seconds to put into an object. */
const MAX_FORM_FIELDS = 1_000;

/** Characters of a form that has no member of a thousand: decoding takes ten times as long as parsing JSON. */
const LONGEST_FORM = 100_000;

/** Characters of a body that takes milliseconds to parse and to check, and so waits for a turn of the event loop. */
const LARGE = 64 * 1024;

/** Characters of a body that takes a fraction of a millisecond: it waits only if the turn is used up. */
const MEDIUM = 4 * 1024;

/**
 * An empty JSON body is an empty body, not an error: clients send the content type with DELETE. Fastify passes what a
 * parser throws to the error handler.
 */
export function addBodyParsers(app: Routes): void {
  app.removeAllContentTypeParsers();
  // Set on every request, so that all have one shape.
  app.decorateRequest('bodyText', undefined);
  for (const type of ['application/json', /^application\/[\w.+-]+\+json(?:;|$)/]) {
    app.addContentTypeParser(type, { parseAs: 'buffer' }, (request, body: Buffer, done) => {
      const { keepBodyText = false, anyText = false } = request.routeOptions.config;
      refuseUnreadable(request, body);
      const text = body.toString();
      if (keepBodyText) request.bodyText = text;
      if (text.length < MEDIUM || (text.length < LARGE && !turnIsOver()))
        done(null, parseJson(text, anyText));
      else void parseJsonInTurns(text, anyText).then((value) => done(null, value), done);
    });
  }
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer' },
    (request, body: Buffer, done) => {
      refuseUnreadable(request, body);
      done(null, parseForm(request, body.toString()));
    },
  );
  app.addContentTypeParser('*', (request, _payload, done) => {
    const { 'content-length': length, 'content-type': type = '' } = request.headers;
    // Octokit sends a content type with an empty body.
    if (length === '0') done(null);
    else if (type === '') done(kernelErrors.unsupported_media_type({ message: NO_TYPE }));
    else done(kernelErrors.unsupported_media_type({ values: { type } }));
  });
}

/** For the `onRoute` hook: a route that takes no body gets none, whatever the client sends. */
export function dropUnwantedBody(route: RouteOptions): void {
  // Fastify reads no body for these methods: the hook's stream per request is an eighth of a small answer's cost.
  if ([route.method].flat().every((method) => BODYLESS.has(method))) return;
  const { schema, bodyLimit, config: { takesBody, jsonForms, keepBodyText } = {} } = route;
  if (schema?.body !== undefined || bodyLimit !== undefined || takesBody || jsonForms || keepBodyText) return;
  route.preParsing = [dropBody, ...[route.preParsing ?? []].flat()];
}

function refuseUnreadable(request: FastifyRequest, body: Buffer): void {
  const fault = bodyFault(request.headers, body);
  if (fault === undefined) return;
  const message = `the body ${fault.reason}`;
  throw fault.kind === 'encoded'
    ? kernelErrors.unsupported_media_type({ message, headers: { 'accept-encoding': 'identity' } })
    : kernelErrors.malformed_json({ message });
}

const NO_TYPE = 'the body has no content type: send content-type: application/json';

/** The default of `curl -d`. */
const JSON_AS_FORM =
  'the body looks like JSON, and its content type says that it is a form: send content-type: application/json';

const BODYLESS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** Node discards what is unread when the answer is sent. */
const dropBody: preParsingHookHandler = (request, _reply, _payload, done) => {
  const receivedEncodedLength = Number(request.headers['content-length'] ?? 0);
  done(null, Object.assign(Readable.from([]), { receivedEncodedLength }) as unknown as typeof request.raw);
};

/**
 * Some old clients send JSON with the content type of forms; a route that expects it says `config: { jsonForms: true
 * }`.
 */
function parseForm(request: FastifyRequest, text: string): unknown {
  if (/^\s*[{[]/.test(text)) {
    const { jsonForms = false, anyText = false } = request.routeOptions.config;
    if (jsonForms) return parseJson(text, anyText);
    throw kernelErrors.unsupported_media_type({ message: JSON_AS_FORM });
  }
  if (text.length > LONGEST_FORM)
    throw kernelErrors.payload_too_large({
      message: `a form may have at most ${LONGEST_FORM} characters`,
    });
  if (text.split('&', MAX_FORM_FIELDS + 1).length > MAX_FORM_FIELDS)
    throw kernelErrors.payload_too_large({ message: `a form may have at most ${MAX_FORM_FIELDS} fields` });
  return parseQuery(text);
}

/** A query string or form as an object: repeated names, `name[]` and `name[0]` become arrays. */
export function parseQuery(text: string): Record<string, unknown> {
  if (text === '') return {};
  // By default Node silently drops the names after the thousandth.
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
