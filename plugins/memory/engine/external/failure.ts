/** Failures of the external store as codes; the store's own text is never passed on. */
import { ForbiddenAddress } from 'plugboard/sdk';
import type { HostProblem } from './host.js';

export type ExternalCode =
  | HostProblem
  | 'not_configured'
  | 'timeout'
  | 'unreachable'
  | 'name_not_found'
  | 'connection_refused'
  | 'tls_failed'
  | 'unauthorized'
  | 'rate_limited'
  | 'collection_missing'
  | 'dimension_mismatch'
  | 'unexpected_answer'
  | 'server_error';

export class ExternalFailure extends Error {
  override readonly name = 'ExternalFailure';
  readonly code: ExternalCode;

  constructor(code: ExternalCode, options?: { cause: unknown }) {
    super(code, options);
    this.code = code;
  }
}

export function toFailure(error: unknown): ExternalFailure {
  return error instanceof ExternalFailure ? error : new ExternalFailure(codeOf(error), { cause: error });
}

const SYSTEM: Readonly<Record<string, ExternalCode>> = {
  ENOTFOUND: 'name_not_found',
  EAI_AGAIN: 'name_not_found',
  ECONNREFUSED: 'connection_refused',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'unexpected_answer',
  CERT_HAS_EXPIRED: 'tls_failed',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls_failed',
  ERR_TLS_CERT_ALTNAME_INVALID: 'tls_failed',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls_failed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'tls_failed',
};

function codeOf(error: unknown): ExternalCode {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    if (at instanceof ForbiddenAddress) return at.problem;
    if (at.name === 'TimeoutError') return 'timeout';
    const { code } = at as { code?: unknown };
    if (typeof code === 'string' && SYSTEM[code] !== undefined) return SYSTEM[code];
    if (at instanceof SyntaxError) return 'unexpected_answer';
  }
  return 'unreachable';
}

export function statusCode(status: number): ExternalCode {
  // Redirects are not followed.
  if (status >= 300 && status < 400) return 'unreachable';
  if (status === 401 || status === 403) return 'unauthorized';
  if (status === 404) return 'collection_missing';
  if (status === 429) return 'rate_limited';
  return status >= 500 ? 'server_error' : 'unexpected_answer';
}
