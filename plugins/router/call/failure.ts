/** Why an attempt at one upstream failed, and what follows from it. */
import { isServiceError, type ServiceError } from 'plugboard/sdk';
import { errors } from '../errors.js';
import type { Unfit } from '../schema.js';
import { renderRetryAfter } from '../upstream/retry-after.js';

export type FailureKind =
  /** The body is at fault: another upstream would refuse it too. */
  | 'rejected'
  /** The body does not fit this model or its limits: another one may accept it, if the route allows. */
  | 'unfit'
  /** The upstream's dialect cannot say what the request asks: it was not sent. */
  | 'unsayable'
  | 'rate_limited'
  /** Our own key is at fault. */
  | 'unauthorized'
  /** Forbidden for this key: a model that it may not use, or a text that the upstream does not serve. */
  | 'forbidden'
  /** The upstream does not know the model. */
  | 'unknown_model'
  | 'timeout'
  | 'unreachable'
  /** 408 or 5xx, or broken off. */
  | 'failed'
  /** Not of the shape of the API. */
  | 'invalid'
  /** Not tried: its keys rest because a limit was reached. */
  | 'resting'
  /** Not tried: its circuit is open, or it has no key. */
  | 'skipped'
  /** A guard of ours ends the answer. */
  | 'refused'
  | 'client_gone';

export class AttemptFailure extends Error {
  override readonly name = 'AttemptFailure';
  readonly kind: FailureKind;
  /** For `tried`, e.g. `http_503`, `first_token_timeout`, `connection_refused`. */
  readonly code: string;
  /** Milliseconds, when the upstream said how long to wait. */
  readonly retryAfter: number | undefined;
  /** The upstream's message about a rejected body. */
  readonly rejection: Rejection | undefined;
  /** Of the kind `unfit`. */
  readonly unfit: Unfit | undefined;
  /** Of a target that was not tried: what it failed with before. */
  readonly last: string | undefined;
  /** For `refused`: the error for the client. */
  readonly refusal: ServiceError | undefined;

  constructor(
    kind: FailureKind,
    code: string,
    more: {
      retryAfter?: number | undefined;
      rejection?: Rejection;
      unfit?: Unfit;
      last?: string | undefined;
      refusal?: ServiceError;
      cause?: unknown;
    } = {},
  ) {
    super(code, more.cause === undefined ? undefined : { cause: more.cause });
    this.kind = kind;
    this.code = code;
    this.retryAfter = more.retryAfter;
    this.rejection = more.rejection;
    this.unfit = more.unfit;
    this.last = more.last;
    this.refusal = more.refusal;
  }
}

export interface Rejection {
  readonly status: number;
  readonly message: string;
  readonly code: string | null;
  readonly param: string | null;
}

/** An answer with status 200 that says only that it was filtered. */
export function filtered(): AttemptFailure {
  return new AttemptFailure('unfit', 'content_filter', {
    unfit: 'content_filter',
    rejection: {
      status: 400,
      message: 'its answer was filtered',
      code: 'content_filter',
      param: null,
    },
  });
}

/** A guard's error, as the end of an answer: a broken guard lets nothing pass. */
export function guardFailure(error: unknown): AttemptFailure {
  const refusal = isServiceError(error) ? error : errors.guard_failed({ cause: error });
  return new AttemptFailure('refused', refusal.code, { refusal });
}

/** One line of the list of what was tried. */
export interface Tried {
  readonly upstream: string;
  readonly model: string;
  readonly failure: AttemptFailure;
}

/** The upstream was not reached: no key and no model of it can be. */
export function isUnreachable({ kind, code }: AttemptFailure): boolean {
  return kind === 'unreachable' || code === CONNECT_TIMEOUT;
}

/** Failures that count against the model at this upstream, and not against a key or a body. */
export function blamesModel({ kind }: AttemptFailure): boolean {
  return kind === 'timeout' || kind === 'failed' || kind === 'invalid';
}

/** Failures after which another key of the same upstream may do: also one with a higher limit or more credit. */
export function blamesKey({ kind, code }: AttemptFailure): boolean {
  if (kind === 'unfit') return code === 'http_402' || code === 'http_429';
  return kind === 'rate_limited' || kind === 'unauthorized' || kind === 'forbidden';
}

/** Failures after which the key rests. Not what is forbidden: one caller's text would take the key from all. */
export function restsKey({ kind, retryAfter }: AttemptFailure): boolean {
  return kind === 'rate_limited' || kind === 'unauthorized' || retryAfter !== undefined;
}

export const CONNECT_TIMEOUT = 'connect_timeout';

/** The code of the time limit for the call as a whole. */
export const TOTAL_TIMEOUT = 'total_timeout';

/** Nobody waits for an answer any more. */
export function isGivenUp({ kind, code }: AttemptFailure): boolean {
  return kind === 'client_gone' || code === TOTAL_TIMEOUT;
}

/** Failures after which no other target is tried. */
export function isFinal(failure: AttemptFailure, fallbackOn: ReadonlySet<Unfit>): boolean {
  if (failure.unfit !== undefined) return !fallbackOn.has(failure.unfit);
  return failure.kind === 'rejected' || failure.kind === 'refused' || isGivenUp(failure);
}

/** What the client hears when the call as a whole failed. */
export function callError(model: string, tried: readonly Tried[]): ServiceError {
  const last = tried.at(-1);
  if (last?.failure.kind === 'client_gone') return errors.client_closed_request();
  if (last?.failure.refusal !== undefined) return last.failure.refusal;
  if (last?.failure.rejection !== undefined) return rejectionError(last, last.failure.rejection);

  const attempts = tried.filter(({ failure: { kind } }) => kind !== 'skipped' && kind !== 'resting');
  const code = attempts.length === 0 ? untriedCode(tried) : errorCode(attempts);
  const list = tried.map(({ upstream, model: name, failure }) => `${upstream}/${name} (${said(failure)})`);
  const waits = tried.flatMap(({ failure: { retryAfter } }) => retryAfter ?? []);
  return errors[code]({
    values: { model, tried: list.join(', '), hint: `tried: ${list.join(', ')}` },
    ...(RETRIABLE.has(code) && waits.length > 0
      ? { headers: { 'retry-after': renderRetryAfter(Math.min(...waits)) } }
      : {}),
    extra: {
      ...(last && { upstream: last.upstream, upstream_code: last.failure.code }),
      tried: triedList(tried),
    },
  });
}

type CallErrorCode =
  | 'rate_limit_exceeded'
  | 'upstream_auth_failed'
  | 'model_not_found'
  | 'upstream_timeout'
  | 'upstream_invalid_response'
  | 'upstream_failed'
  | 'upstream_unavailable';

const RETRIABLE: ReadonlySet<CallErrorCode> = new Set(['rate_limit_exceeded', 'upstream_unavailable']);

const CODES: Partial<Record<FailureKind, CallErrorCode>> = {
  rate_limited: 'rate_limit_exceeded',
  unauthorized: 'upstream_auth_failed',
  forbidden: 'upstream_auth_failed',
  unknown_model: 'model_not_found',
  timeout: 'upstream_timeout',
  invalid: 'upstream_invalid_response',
};

/** If nothing was called: a reached limit takes precedence over other obstacles. */
function untriedCode(tried: readonly Tried[]): CallErrorCode {
  const isLimited = tried.some(({ failure: { kind } }) => kind === 'resting');
  return isLimited ? 'rate_limit_exceeded' : 'upstream_unavailable';
}

/** A kind shared by all has its own code; a mixture is a failure. */
function errorCode(attempts: readonly Tried[]): CallErrorCode {
  const [first] = attempts.map(({ failure: { kind } }) => kind);
  const alike = first !== undefined && attempts.every(({ failure: { kind } }) => kind === first);
  return (alike ? CODES[first] : undefined) ?? 'upstream_failed';
}

/** `circuit_open after http_503`. */
function said({ code, last }: AttemptFailure): string {
  return last === undefined ? code : `${code} after ${last}`;
}

function rejectionError({ upstream }: Tried, { status, message, code, param }: Rejection): ServiceError {
  return errors.upstream_rejected({
    status,
    values: { upstream, reason: message },
    param,
    extra: { upstream, upstream_code: code },
  });
}

function triedList(tried: readonly Tried[]): object[] {
  return tried.map(({ upstream, model, failure: { code, last } }) => ({
    upstream,
    model,
    code,
    ...(last !== undefined && { last }),
  }));
}
