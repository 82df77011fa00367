/** A failed model call as improve-prompt answers it: the upstream's name and a code, none of its texts. */
import { isServiceError, type ServiceError } from 'plugboard/sdk';
import { errors } from '../errors.js';

/** Rethrows anything but an upstream's failure unchanged, e.g. `model_not_found`. */
export function improveFailure(thrown: unknown): unknown {
  if (!isServiceError(thrown) || typeof thrown.fields.extra?.['upstream'] !== 'string') return thrown;
  const { upstream, upstream_code: code } = thrown.fields.extra;
  const retryAfter = thrown.headers['retry-after'];
  return makerOf(thrown)({
    values: { upstream: String(upstream), code: shortCode(code), failure: failureOf(shortCode(code)) },
    ...(retryAfter === undefined ? {} : { headers: { 'retry-after': retryAfter } }),
    extra: { upstream, upstream_code: shortCode(code) },
  });
}

function makerOf({ status }: ServiceError) {
  switch (status) {
    case 429:
      return errors.upstream_rate_limited;
    case 503:
      return errors.upstream_unavailable;
    case 504:
      return errors.upstream_timeout;
    case 400:
    case 413:
    case 415:
    case 422:
      return errors.upstream_rejected;
    default:
      return errors.upstream_failed;
  }
}

/** Failures that the operator can fix have the router's text; others only a code. */
function failureOf(code: string): string {
  switch (code) {
    case 'http_401':
    case 'http_402':
      return 'does not accept our API key; check its apiKey in plugins.router.upstreams';
    case 'http_403':
      return 'refuses our API key or this call; check its apiKey in plugins.router.upstreams';
    default:
      return 'failed';
  }
}

/** A code is one word; a longer text may hold what the caller must not see. */
function shortCode(code: unknown): string {
  return typeof code === 'string' && /^[\w.-]{1,64}$/.test(code) ? code : 'unknown';
}
