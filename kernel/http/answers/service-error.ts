/** Turns anything thrown into an error for the client. */
import { isServiceError, type InvalidRequest, type ServiceError } from '../../sdk/http/errors.js';
import { isStorageError, type StorageErrorCode } from '../../sdk/storage/errors.js';
import { kernelErrors } from '../errors.js';

/** Storage errors that a client may see if the plugin does not handle them. All others are our fault. */
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

/** File paths that the documentation page lacks or must not show. */
function staticFileError(thrown: FrameworkError | null): ServiceError | undefined {
  const { statusCode } = thrown ?? {};
  if (statusCode !== 403 && statusCode !== 404) return undefined;
  return kernelErrors.not_found({ message: 'there is no such file' });
}
