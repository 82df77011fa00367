/** One request to one upstream: sends it, waits for the headers, and says what went wrong as an `AttemptFailure`. */
import { AnswerTooLarge, type UpstreamAnswer } from '../upstream/answer.js';
import { BadEncoding, isDecodable } from '../upstream/decoded.js';
import type { UpstreamKey } from '../upstream/keys.js';
import { readRetryAfter } from '../upstream/retry-after.js';
import type { Upstream } from '../upstream/upstream.js';
import { AttemptFailure, CONNECT_TIMEOUT, isFinal, type Rejection } from './failure.js';
import type { Watchdog } from './watchdog.js';

export interface Limits {
  /** Milliseconds. */
  readonly headers: number;
  readonly firstToken: number;
  readonly idle: number;
  readonly maxAnswerBytes: number;
}

/** An upstream's word on why it refuses is not taken beyond this length. */
const MAX_REASON = 1_000;
const MAX_ERROR_BYTES = 65_536;
/** Milliseconds. */
const ERROR_BODY_PATIENCE = 1_000;

/** The answer, once its headers are there and its status is 200. */
export async function send(
  upstream: Upstream,
  key: UpstreamKey,
  request: { readonly path: string; readonly body: string },
  watchdog: Watchdog,
  limits: Limits,
): Promise<UpstreamAnswer> {
  if (watchdog.failure !== undefined) throw watchdog.failure;
  watchdog.arm('headers', limits.headers);
  try {
    const answer = upstream.post(request.path, request.body, key);
    watchdog.guard((failure) => answer.abort(failure));
    await answer.begun;
    if (answer.status !== 200) throw await statusFailure(answer, upstream, watchdog, limits);
    checkEncoding(answer);
    return answer;
  } catch (error) {
    throw attemptFailure(error);
  }
}

/** Whatever was thrown while an upstream was spoken to, as a failure of the attempt. */
export function attemptFailure(error: unknown): AttemptFailure {
  if (error instanceof AttemptFailure) return error;
  if (error instanceof AnswerTooLarge) return new AttemptFailure('invalid', 'answer_too_large');
  if (error instanceof BadEncoding) return new AttemptFailure('invalid', 'content_encoding');
  const { name, code = '' } = error as NodeJS.ErrnoException;
  if (name === 'HTTPParserError' || code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH')
    return new AttemptFailure('invalid', 'not_http');
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return new AttemptFailure('invalid', 'headers_too_large');
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return new AttemptFailure('timeout', CONNECT_TIMEOUT);
  // What a call says may end its connection: that touches its model and its caller, not the whole upstream.
  if (RESETS.has(code)) return new AttemptFailure('failed', 'connection_reset', { cause: error });
  const named =
    CONNECTION_CODES[code] ?? (CERTIFICATE.test(code) ? 'certificate_refused' : 'connection_failed');
  return new AttemptFailure('unreachable', named, { cause: error });
}

/** We ask for none, and take what we can read. */
function checkEncoding(answer: UpstreamAnswer): void {
  const encoding = answer.headers['content-encoding'];
  if (encoding === undefined || encoding === 'identity' || isDecodable(encoding)) return;
  const failure = new AttemptFailure('invalid', 'content_encoding');
  answer.abort(failure);
  throw failure;
}

/** Of a connection that stood. */
const RESETS: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

const CONNECTION_CODES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection_refused',
  ENOTFOUND: 'host_not_found',
  EAI_AGAIN: 'host_not_found',
  EHOSTUNREACH: 'host_unreachable',
  ENETUNREACH: 'host_unreachable',
};
/** OpenSSL's reasons for not believing a certificate, and Node's own. */
const CERTIFICATE = /CERT|VERIFY_LEAF_SIGNATURE|ISSUER/;

async function statusFailure(
  answer: UpstreamAnswer,
  { secrets }: Upstream,
  watchdog: Watchdog,
  { idle }: Limits,
): Promise<AttemptFailure> {
  const { status, headers } = answer;
  // The status is known: a body that does not come takes nothing from it.
  watchdog.arm('idle', Math.min(idle, ERROR_BODY_PATIENCE));
  const text = await answer.text(MAX_ERROR_BYTES).catch((error: unknown) => {
    if (error instanceof AttemptFailure && isFinal(error)) throw error;
    return '';
  });
  const retryAfter = readRetryAfter(headers, Date.now());
  const code = `http_${status}`;
  switch (status) {
    case 400:
    case 413:
    case 415:
    case 422: {
      const rejection = readRejection(status, text, secrets);
      return new AttemptFailure(isUnfit(rejection) ? 'unfit' : 'rejected', code, { rejection });
    }
    case 401:
    case 402:
      return new AttemptFailure('unauthorized', code, { retryAfter });
    case 403:
      return new AttemptFailure('forbidden', code, { retryAfter });
    case 404:
      return new AttemptFailure('unknown_model', code);
    case 429:
      return new AttemptFailure('rate_limited', code, { retryAfter });
    default:
      return new AttemptFailure(status >= 500 || status === 408 ? 'failed' : 'invalid', code, { retryAfter });
  }
}

const UNFIT_CODES: ReadonlySet<string | null> = new Set([
  'context_length_exceeded',
  'unsupported_parameter',
  'unsupported_value',
  'unsupported_content',
]);
const UNFIT_WORDS =
  /context length|context window|maximum context|unsupported (?:parameter|value)|does not support/i;

/** The body is right, and not for this model: too long for it, or with a parameter that it does not know. */
function isUnfit({ code, message }: Rejection): boolean {
  return UNFIT_CODES.has(code) || UNFIT_WORDS.test(message);
}

/** The upstream's own words in the shape of the API, without our keys and headers in them. */
function readRejection(status: number, text: string, secrets: readonly string[]): Rejection {
  const error = errorOf(text);
  const textOf = (member: string, longest: number): string | null => {
    const value = error[member];
    if (typeof value !== 'string' || value === '') return null;
    const hidden = secrets.reduce((shown, secret) => shown.replaceAll(secret, '***'), value);
    return hidden.slice(0, longest);
  };
  return {
    status,
    message: textOf('message', MAX_REASON) ?? `it answered ${status}`,
    code: textOf('code', 100),
    param: textOf('param', 200),
  };
}

function errorOf(text: string): Record<string, unknown> {
  try {
    const body = JSON.parse(text) as { error?: unknown } | null;
    const error = body?.error;
    if (typeof error === 'string') return { message: error };
    return typeof error === 'object' && error !== null ? (error as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
