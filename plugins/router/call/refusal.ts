/** What an upstream's status and its words mean for the attempt, in the error shapes of all vendors. */
import type { UpstreamAnswer } from '../upstream/answer.js';
import { readRetryAfter } from '../upstream/retry-after.js';
import type { Upstream } from '../upstream/upstream.js';
import type { Unfit } from '../schema.js';
import { AttemptFailure, isGivenUp, type Rejection } from './failure.js';
import { readUpstreamError, type UpstreamError } from './upstream-error.js';
import type { Watchdog } from './watchdog.js';

/** An upstream's word on why it refuses is not taken beyond this length. */
const MAX_REASON = 1_000;
const MAX_ERROR_BYTES = 65_536;
/** Milliseconds. */
const ERROR_BODY_PATIENCE = 1_000;

/** Reads the body of an answer whose status is not 200. */
export async function statusFailure(
  answer: UpstreamAnswer,
  { secrets }: Upstream,
  watchdog: Watchdog,
  idle: number,
): Promise<AttemptFailure> {
  // The status is known: a body that does not come takes nothing from it.
  watchdog.arm('idle', Math.min(idle, ERROR_BODY_PATIENCE));
  const text = await answer.text(MAX_ERROR_BYTES).catch((error: unknown) => {
    if (error instanceof AttemptFailure && isGivenUp(error)) throw error;
    return '';
  });
  const { status, headers } = answer;
  const error = readUpstreamError(text);
  const retryAfter = readRetryAfter(headers, Date.now()) ?? error.retryDelay;
  return refusalOf(status, error, secrets, retryAfter);
}

function refusalOf(
  status: number,
  error: UpstreamError,
  secrets: readonly string[],
  retryAfter: number | undefined,
): AttemptFailure {
  const code = `http_${status}`;
  const unfit = unfitOf(status, error);
  // A request that is too large for a limit is the caller's to change, and no reason to come back later.
  const rejection = rejectionOf(statusFor(status), error, secrets);
  if (unfit !== undefined) return new AttemptFailure('unfit', code, { rejection, unfit });
  switch (status) {
    case 400:
      // Gemini answers 400 to a key that it does not know.
      return error.code === 'API_KEY_INVALID'
        ? new AttemptFailure('unauthorized', code, { retryAfter })
        : new AttemptFailure('rejected', code, { rejection });
    case 413:
    case 415:
    case 422:
      return new AttemptFailure('rejected', code, { rejection });
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

/** What the client is answered. */
function statusFor(status: number): number {
  return status === 402 || status === 429 ? 400 : status;
}

const CODES: Readonly<Record<string, Unfit>> = {
  context_length_exceeded: 'context',
  string_above_max_length: 'context',
  unsupported_parameter: 'unsupported',
  unsupported_value: 'unsupported',
  unsupported_content: 'unsupported',
  content_filter: 'content_filter',
  content_policy_violation: 'content_filter',
  ResponsibleAIPolicyViolation: 'content_filter',
};

/** Of 400, 413 and 422. */
const BODY_WORDS: readonly (readonly [RegExp, Unfit])[] = [
  [
    /context length|context window|maximum context|prompt is too long|input token count|too many (?:input )?tokens/i,
    'context',
  ],
  [/unsupported (?:parameter|value)|does not support/i, 'unsupported'],
  [/content management policy|content filter|content policy/i, 'content_filter'],
];
/** Of 402, 413 and 429: the size of this request, and not what was used before it. */
const SIZE_WORDS = /request too large|fewer max_tokens|tokens must be reduced|reduce your message size/i;

/** The body is valid but does not fit this model or its limits: undefined for any other status. */
function unfitOf(status: number, { code, message }: UpstreamError): Unfit | undefined {
  const isBody = status === 400 || status === 413 || status === 422;
  if (isBody && code !== undefined && Object.hasOwn(CODES, code)) return CODES[code];
  if ((status === 402 || status === 413 || status === 429) && SIZE_WORDS.test(message)) return 'context';
  return isBody ? BODY_WORDS.find(([words]) => words.test(message))?.[1] : undefined;
}

/** The upstream's own words, without our keys and headers in them. */
function rejectionOf(status: number, error: UpstreamError, secrets: readonly string[]): Rejection {
  const shown = (text: string | undefined, longest: number): string | null => {
    if (text === undefined || text === '') return null;
    return secrets.reduce((hidden, secret) => hidden.replaceAll(secret, '***'), text).slice(0, longest);
  };
  return {
    status,
    message: shown(error.message, MAX_REASON) ?? `it answered ${status}`,
    code: shown(error.code, 100),
    param: shown(error.param, 200),
  };
}
