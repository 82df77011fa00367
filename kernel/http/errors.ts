/** The kernel's own errors, and how anything that was thrown becomes an error for the client. */
import { defineErrors, isServiceError, type InvalidRequest, type ServiceError } from '../sdk/errors.js';
import { isStorageError, type StorageErrorCode } from '../sdk/storage.js';

export const kernelErrors = defineErrors({
  invalid_request: {
    status: 400,
    message: '{message}',
    when: 'the body, the query or the path does not match the schema of the route',
  },
  malformed_json: {
    status: 400,
    message: 'the body is not valid JSON: {reason}',
    when: 'a JSON body cannot be parsed',
  },
  malformed_url: {
    status: 400,
    message: 'the URL is not valid',
    when: 'the path holds a percent-encoding that cannot be decoded',
  },
  malformed_http: {
    status: 400,
    message: 'the request is not valid HTTP',
    when: 'the request line or the headers cannot be parsed',
  },
  not_found: { status: 404, message: 'there is no route {path}', when: 'no route has this path' },
  method_not_allowed: {
    status: 405,
    message: '{method} is not allowed on {path}; allowed: {allowed}',
    when: 'the path exists, but not with this method; `Allow` names those it has',
  },
  request_timeout: {
    status: 408,
    message: 'the request did not arrive in time',
    when: 'the client took too long to send its request',
  },
  payload_too_large: {
    status: 413,
    message: 'the body is larger than {limit} bytes',
    when: 'the body is over `server.bodyLimit` or the limit of its route, a form has over 1,000 fields, or JSON holds too many values',
  },
  unsupported_media_type: {
    status: 415,
    message: 'bodies of type "{type}" are not accepted here',
    when: 'the content type has no parser on this route',
  },
  operations_closed: {
    status: 403,
    message:
      'this page is for those who run the server: set server.operations.open, or enable a plugin that needs auth',
    when: 'metrics or documentation are asked for from another machine, and the server has no auth provider',
  },
  cross_origin: {
    status: 403,
    message: 'a page of another site may not write here: add its origin to server.cors.origins to let it',
    when: 'a browser sends a write for a page of another origin that is not one of `server.cors.origins`',
  },
  misdirected: {
    status: 421,
    message:
      'this server does not answer to the name "{name}": add it to server.allowedHosts, or set server.trustProxy behind a proxy',
    when: 'the server listens on 127.0.0.1, and `Host` is neither an address nor `localhost` nor one of `server.allowedHosts`',
  },
  headers_too_large: {
    status: 431,
    message: 'the URL and the headers are larger than 64 KiB together',
    when: 'the URL and the headers are over 64 KiB',
  },
  internal: {
    status: 500,
    message: 'an unexpected error; quote the request id {id} when you report it',
    when: 'a fault of the server; the log has it under the request id',
  },
  unavailable: {
    status: 503,
    message: 'the storage is not available; try again',
    when: 'the storage cannot be reached',
  },
  overloaded: {
    status: 503,
    message: 'the server is overloaded; try again',
    when: 'the event loop lags more than `server.pressure.eventLoopDelay`',
  },
  too_many_connections: {
    status: 503,
    message: 'the server has as many connections as it takes; try again',
    when: 'every connection that the limit on open files allows has a request',
  },
  too_large: {
    status: 413,
    message: 'the document is too large to store',
    when: 'a stored document would be over 16 MiB',
  },
  conflict: {
    status: 409,
    message: 'another request changed the same thing at the same time; try again',
    when: 'a transaction lost against others, even after retries',
  },
});

/** What a client may be told of a storage error that the plugin did not handle itself. The others are our faults. */
const STORAGE: Partial<Record<StorageErrorCode, () => ServiceError>> = {
  unavailable: () => kernelErrors.unavailable({ headers: { 'retry-after': '1' } }),
  too_large: () => kernelErrors.too_large(),
  write_conflict: () => kernelErrors.conflict(),
};

export interface ErrorContext {
  readonly requestId: string;
  /** The connection ended before the request did: nobody will read the answer. */
  readonly clientLeft: boolean;
  readonly contentType: string | undefined;
  readonly bodyLimit: number;
  /** The plugin's own view of a refused request. */
  readonly invalid: ((problem: InvalidRequest) => ServiceError) | undefined;
}

/** The error for the client; `unexpected`: it is our fault and belongs in the log. */
export function toServiceError(
  thrown: unknown,
  context: ErrorContext,
): { error: ServiceError; unexpected: boolean } {
  if (context.clientLeft)
    return { error: kernelErrors.malformed_http({ message: 'the body ended early' }), unexpected: false };
  if (isServiceError(thrown))
    return { error: thrown, unexpected: thrown.status >= 500 && thrown.cause !== undefined };
  if (isStorageError(thrown)) {
    const error = STORAGE[thrown.code]?.();
    if (error !== undefined) return { error, unexpected: thrown.code === 'unavailable' };
  }
  const problem = (thrown as { invalidRequest?: InvalidRequest } | null)?.invalidRequest;
  if (problem !== undefined) {
    const error =
      context.invalid?.(problem) ??
      kernelErrors.invalid_request({ values: { ...problem }, param: problem.path || null });
    return { error, unexpected: false };
  }
  const known = frameworkError(thrown as FrameworkError, context);
  return known === undefined
    ? { error: kernelErrors.internal({ values: { id: context.requestId } }), unexpected: true }
    : { error: known, unexpected: false };
}

interface FrameworkError {
  readonly code?: string;
  readonly statusCode?: number;
  readonly message: string;
}

function frameworkError(thrown: FrameworkError | null, context: ErrorContext): ServiceError | undefined {
  switch (thrown?.code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return kernelErrors.unsupported_media_type({ values: { type: context.contentType ?? '' } });
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return kernelErrors.payload_too_large({ values: { limit: context.bodyLimit } });
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return kernelErrors.malformed_http({ message: 'the body is not as long as Content-Length says' });
    case 'FST_ERR_BAD_URL':
      return kernelErrors.malformed_url();
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return kernelErrors.not_found({ message: 'a part of the path is too long' });
    default:
      return staticFileError(thrown);
  }
}

/** Paths of files that the page of the documentation does not have, or may not show. */
function staticFileError(thrown: FrameworkError | null): ServiceError | undefined {
  const { statusCode } = thrown ?? {};
  if (statusCode !== 403 && statusCode !== 404) return undefined;
  return kernelErrors.not_found({ message: 'there is no such file' });
}
