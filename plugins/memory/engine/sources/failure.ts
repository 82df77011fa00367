/** Why a model failed, as a stable code and our own sentence; the upstream's text is not repeated. */
import { isServiceError } from 'plugboard/sdk';

export type ModelFailureCode =
  | 'no_embedding_source'
  | 'remote_timeout'
  | 'remote_unauthorized'
  | 'remote_rate_limited'
  | 'remote_unknown_model'
  | 'remote_rejected'
  | 'remote_failed'
  | 'local_failed';

const SENTENCES: Readonly<Record<ModelFailureCode, string>> = {
  no_embedding_source: 'no embedding source is set up',
  remote_timeout: 'the model did not answer in time',
  remote_unauthorized: 'the upstream refused our credentials',
  remote_rate_limited: 'the upstream limits our rate',
  remote_unknown_model: 'nobody serves this model',
  remote_rejected: 'the upstream refused the text',
  remote_failed: 'the upstream failed',
  local_failed: 'the local model could not be loaded or run',
};

export class ModelFailure extends Error {
  override readonly name = 'ModelFailure';
  readonly code: ModelFailureCode;

  constructor(code: ModelFailureCode, sentence: string = SENTENCES[code], options?: { cause: unknown }) {
    super(`${code}: ${sentence}`, options);
    this.code = code;
  }
}

/** Wraps an error of the models port. */
export function remoteFailure(error: unknown): ModelFailure {
  if (error instanceof ModelFailure) return error;
  return new ModelFailure(remoteCode(error), undefined, { cause: error });
}

function remoteCode(error: unknown): ModelFailureCode {
  if (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')) {
    return 'remote_timeout';
  }
  const status = isServiceError(error) ? error.status : 0;
  if (status === 401 || status === 403) return 'remote_unauthorized';
  if (status === 404) return 'remote_unknown_model';
  if (status === 408 || status === 504) return 'remote_timeout';
  if (status === 429) return 'remote_rate_limited';
  return status === 400 || status === 413 || status === 422 ? 'remote_rejected' : 'remote_failed';
}
