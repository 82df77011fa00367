/** What the routes read of a request besides its body, and the headers of every answer. */
import type { Auth, Reply, Request, Routes } from 'plugboard/sdk';
import { errors, Refused, toServiceError } from '../errors/errors.js';
import { keyedRequest } from '../idempotency/request.js';
import type { Platform, Platforms } from '../platform/platforms.js';
import type { Answer, Caller } from '../service/caller.js';

const platforms = new WeakMap<Request, Platform>();

/** Year, month, day and the name of the release. */
const VERSION = /^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])\.[a-z_]{1,40}$/;
const MAX_KEY = 255;

/** Sets the headers of every answer and formats refusals. Call it before the routes. */
export function addAnswerHeaders(app: Routes, defaultVersion: string): void {
  app.addHook('onRequest', (request, reply, done) => {
    const version = sentVersion(request) ?? defaultVersion;
    // A malformed version is not echoed, but replaced by ours.
    const echoed = VERSION.test(version) ? version : defaultVersion;
    reply.headers({ 'service-version': echoed, 'stripe-version': echoed, 'request-id': request.id });
    done();
  });
  app.setErrorHandler((error, request) => {
    if (!(error instanceof Refused)) throw error;
    const base = `${request.protocol}://${request.host}${prefixOf(request)}/v2/core/errors/`;
    throw toServiceError(error.refusal, (code) => `${base}${code}`);
  });
}

/** A hook after the guard: finds the key's platform and checks its access. Nothing is parsed yet. */
export function access(auth: Auth, all: Platforms, defaultVersion: string) {
  return async (request: Request): Promise<void> => {
    const platform = await all.of(auth.principal(request));
    platforms.set(request, platform);
    const { accounts_v2, connect, non_connect_min_version } = platform.settings;
    if (accounts_v2 === 'blocked')
      throw new Refused({
        code: 'accounts_v2_access_blocked',
        message: 'this platform has no access to version 2 of accounts',
      });
    const version = readVersion(request, defaultVersion);
    if (connect === 'not_onboarded' && version.slice(0, 10) < non_connect_min_version)
      throw new Refused({
        code: 'non_connect_platform_accounts_v2_access_blocked',
        message: `a platform that is not onboarded to Connect needs a version from ${non_connect_min_version} on`,
      });
    assertJson(request);
  };
}

export function platformOf(request: Request): Platform {
  const platform = platforms.get(request);
  if (platform === undefined) throw new TypeError('the route has no access hook');
  return platform;
}

/** With the idempotency key, if the request writes. */
export function callerOf(request: Request, reply: Reply): Caller {
  const platform = platformOf(request);
  const key = request.headers['idempotency-key'];
  if (request.method !== 'POST' || key === undefined) return { platform, request: undefined };
  if (typeof key !== 'string' || key === '' || key.length > MAX_KEY)
    throw new Refused({
      code: 'invalid_fields',
      message: `Idempotency-Key must have 1 to ${MAX_KEY} characters`,
    });
  reply.header('idempotency-key', key);
  const path = request.url.split('?', 1)[0] ?? '';
  const input = { platform: platform.id, method: request.method, path, key, body: request.body ?? {} };
  return { platform, request: keyedRequest(input) };
}

/** A check of the body against its schema that throws when called, at its place in the order of checks. */
export function shapeOf(request: Request): () => void {
  return () => {
    if (request.validationError !== undefined) throw request.validationError;
  };
}

const BODY_LIMIT = 256 * 1024;

/** The options of a route with a body: its shape is checked at its place in the order of checks. */
export function writing<H>(onRequest: H) {
  return { onRequest, attachValidation: true, bodyLimit: BODY_LIMIT, preValidation: emptyBody };
}

/** A missing body is treated as an empty one. */
function emptyBody(request: Request, _reply: Reply, done: () => void): void {
  if (request.body === undefined) request.body = {};
  done();
}

export function send(reply: Reply, { text, replayed }: Answer): Reply {
  if (replayed) void reply.header('idempotent-replayed', 'true');
  return json(reply, text);
}

export function json(reply: Reply, text: string): Reply {
  return reply.type('application/json; charset=utf-8').send(text);
}

/** The prefix of this plugin's paths, in the URL as the client sees it. */
export function prefixOf({ originalUrl }: Request): string {
  return originalUrl.slice(0, Math.max(0, originalUrl.indexOf('/v2/')));
}

function sentVersion({ headers }: Request): string | undefined {
  const version = headers['service-version'] ?? headers['stripe-version'];
  return typeof version === 'string' ? version : undefined;
}

function readVersion(request: Request, defaultVersion: string): string {
  const { 'service-version': ours, 'stripe-version': theirs } = request.headers;
  const version = sentVersion(request);
  if (ours !== undefined && theirs !== undefined && ours !== theirs)
    throw new Refused({
      code: 'invalid_fields',
      message: 'Service-Version and Stripe-Version must be the same',
    });
  if (version !== undefined && !VERSION.test(version))
    throw new Refused({
      code: 'invalid_fields',
      message: 'Service-Version must be a date and the name of a release, such as "2026-10-28.endive"',
    });
  return version ?? defaultVersion;
}

/** Forms have other types and no null: such a body is refused, not read as JSON. */
function assertJson({ headers }: Request): void {
  const type = headers['content-type'];
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (!hasBody) return;
  if (type === undefined || !/^application\/json *(?:;|$)/i.test(type)) throw errors.unsupported_media_type();
}

/** A hook after the guard of the test helpers: a platform in test mode, blocked or not, as they can unblock it. */
export function testAccess(auth: Auth, all: Platforms) {
  return async (request: Request): Promise<void> => {
    const platform = await all.of(auth.principal(request));
    platforms.set(request, platform);
    if (platform.livemode)
      throw new Refused({
        code: 'test_mode_only',
        message: 'test helpers work in test mode alone, and this key is of live mode',
      });
    assertJson(request);
  };
}
