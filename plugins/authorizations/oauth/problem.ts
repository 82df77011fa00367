/** The errors of OAuth 2.0 (RFC 6749 4.1.2.1 and 5.2, RFC 8628 3.5) under the names that GitHub's clients know. */

const SENTENCES = {
  access_denied: 'The user has denied your application access.',
  authorization_pending: 'The authorization request is still pending.',
  bad_verification_code: 'The code passed is incorrect or expired.',
  expired_token: 'The device code has expired.',
  incorrect_client_credentials: 'The client_id and/or client_secret passed are incorrect.',
  incorrect_device_code: 'The device_code provided is not valid.',
  invalid_request: 'A parameter is missing or not valid.',
  invalid_scope: 'The server knows no such scope.',
  redirect_uri_mismatch: 'The redirect_uri must be below the URL of the application.',
  slow_down: 'Too many requests have been made in the same timeframe.',
  temporarily_unavailable: 'Too many codes of this application wait for a user.',
  unsupported_grant_type: 'The grant_type is not supported.',
} as const;

export type ProblemCode = keyof typeof SENTENCES;

/** Answered with status 200, as GitHub does; `interval` is in seconds. */
export interface Problem {
  readonly error: ProblemCode;
  readonly error_description: string;
  readonly error_uri: string;
  readonly interval?: number;
}

export function problem(error: ProblemCode, more: { readonly interval?: number } = {}): Problem {
  return {
    error,
    error_description: SENTENCES[error],
    error_uri: 'https://www.rfc-editor.org/rfc/rfc6749#section-5.2',
    ...more,
  };
}
