/** One request to one upstream: sends it, waits for the headers, and says what went wrong as an `AttemptFailure`. */
import { AnswerTooLarge, type UpstreamAnswer } from '../upstream/answer.js';
import { BadEncoding, isDecodable } from '../upstream/decoded.js';
import type { UpstreamKey } from '../upstream/keys.js';
import type { SentBody } from '../upstream/sent-body.js';
import type { Upstream } from '../upstream/upstream.js';
import { AttemptFailure, CONNECT_TIMEOUT } from './failure.js';
import { statusFailure } from './refusal.js';
import type { Watchdog } from './watchdog.js';

export interface Limits {
  /** Milliseconds. */
  readonly headers: number;
  readonly firstToken: number;
  readonly idle: number;
  readonly maxAnswerBytes: number;
}

export interface SentRequest {
  readonly path: string;
  readonly body: SentBody;
  /** The caller's headers, names and values in turn. */
  readonly passed?: readonly string[] | undefined;
}

/** The answer, once its headers are there and its status is 200. */
export async function send(
  upstream: Upstream,
  key: UpstreamKey,
  { path, body, passed }: SentRequest,
  watchdog: Watchdog,
  limits: Limits,
): Promise<UpstreamAnswer> {
  if (watchdog.failure !== undefined) throw watchdog.failure;
  watchdog.arm('headers', limits.headers);
  try {
    let answer = upstream.post(path, body, key, passed);
    watchdog.guard((failure) => answer.abort(failure));
    try {
      await answer.begun;
    } catch (error) {
      if (watchdog.failure !== undefined || !answer.isOnKept || !isReset(error)) throw error;
      // Servers close idle connections, and this request most likely met that: not a byte came back.
      answer = upstream.postAfresh(path, body, key, passed);
      await answer.begun;
    }
    if (answer.status !== 200) throw await statusFailure(answer, upstream, watchdog, limits.idle);
    checkEncoding(answer);
    return answer;
  } catch (error) {
    throw attemptFailure(error);
  }
}

/** Anything thrown while talking to an upstream, as a failure of the attempt. */
export function attemptFailure(error: unknown): AttemptFailure {
  if (error instanceof AttemptFailure) return error;
  if (error instanceof AnswerTooLarge) return new AttemptFailure('invalid', 'answer_too_large');
  if (error instanceof BadEncoding) return new AttemptFailure('invalid', 'content_encoding');
  const { name, code = '' } = error as NodeJS.ErrnoException;
  if (name === 'HTTPParserError' || code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH')
    return new AttemptFailure('invalid', 'not_http');
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return new AttemptFailure('invalid', 'headers_too_large');
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return new AttemptFailure('timeout', CONNECT_TIMEOUT);
  // A call's content may end its connection: that concerns its model and its caller, not the whole upstream.
  if (isReset(error)) return new AttemptFailure('failed', 'connection_reset', { cause: error });
  const named =
    CONNECTION_CODES[code] ?? (CERTIFICATE.test(code) ? 'certificate_refused' : 'connection_failed');
  return new AttemptFailure('unreachable', named, { cause: error });
}

/** We ask for none, and accept those that we can decode. */
function checkEncoding(answer: UpstreamAnswer): void {
  const encoding = answer.headers['content-encoding'];
  if (encoding === undefined || encoding === 'identity' || isDecodable(encoding)) return;
  const failure = new AttemptFailure('invalid', 'content_encoding');
  answer.abort(failure);
  throw failure;
}

/** Errors of an established connection. */
const RESETS: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

function isReset(error: unknown): boolean {
  return RESETS.has((error as NodeJS.ErrnoException).code);
}

const CONNECTION_CODES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection_refused',
  ENOTFOUND: 'host_not_found',
  EAI_AGAIN: 'host_not_found',
  EHOSTUNREACH: 'host_unreachable',
  ENETUNREACH: 'host_unreachable',
};
/** OpenSSL's reasons for not believing a certificate, and Node's own. */
const CERTIFICATE = /CERT|VERIFY_LEAF_SIGNATURE|ISSUER/;
