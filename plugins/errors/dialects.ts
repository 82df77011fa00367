/** The wire shapes of errors. They differ because the clients of each service differ. */
import { type Dialect, type DialectName, Type } from 'plugboard/sdk';

const nullableText = Type.Union([Type.String(), Type.Null()]);

/** `{ error: { message, type, code, param } }`: what the `openai` client turns into its typed errors. */
const openai: Dialect = {
  name: 'openai',
  schema: Type.Object(
    {
      error: Type.Object({
        message: Type.String(),
        type: Type.String(),
        code: nullableText,
        param: nullableText,
      }),
    },
    { title: 'OpenAiError' },
  ),
  render: ({ status, headers, code, message, fields }) => ({
    status,
    headers,
    body: {
      error: {
        message,
        type: fields.type ?? openaiType(status),
        code,
        param: fields.param ?? null,
        ...fields.extra,
      },
    },
  }),
};

function openaiType(status: number): string {
  if (status === 401) return 'authentication_error';
  if (status === 403) return 'permission_error';
  if (status === 429) return 'rate_limit_error';
  return status >= 500 ? 'server_error' : 'invalid_request_error';
}

/** `{ error: { code, message, type?, doc_url?, user_message?, ... } }` */
const v2: Dialect = {
  name: 'v2',
  schema: Type.Object(
    { error: Type.Object({ code: Type.String(), message: Type.String() }) },
    { title: 'V2Error' },
  ),
  render: ({ status, headers, code, message, fields }, request) => ({
    status,
    headers: { 'request-id': request.id, ...headers },
    body: {
      error: {
        code,
        message,
        ...(fields.type === undefined ? {} : { type: fields.type }),
        ...(fields.documentationUrl === undefined ? {} : { doc_url: fields.documentationUrl }),
        ...(fields.userMessage === undefined ? {} : { user_message: fields.userMessage }),
        ...fields.extra,
      },
    },
  }),
};

/** The documentation URL of this dialect's errors without their own page. */
const GITHUB_DOCUMENTATION = 'https://developer.github.com/v3';

const BAD_CREDENTIALS = { message: 'Bad credentials' };

interface GithubAnswer {
  readonly message: string;
  readonly status?: number;
  readonly page?: string;
}

const OTP_REQUIRED: GithubAnswer = {
  message: 'Must specify two-factor authentication OTP code.',
  page: '/auth#working-with-two-factor-authentication',
};

/** Texts that clients of this dialect match on, for errors of the kernel and the guards. */
const GITHUB_ANSWERS: Readonly<Record<string, GithubAnswer>> = {
  not_found: { message: 'Not Found' },
  method_not_allowed: { message: 'Not Found', status: 404 },
  malformed_json: { message: 'Problems parsing JSON' },
  internal: { message: 'Server Error' },
  missing_credentials: { message: 'Requires authentication' },
  malformed_credentials: BAD_CREDENTIALS,
  bad_credentials: BAD_CREDENTIALS,
  invalid_api_key: BAD_CREDENTIALS,
  api_key_expired: BAD_CREDENTIALS,
  api_key_revoked: BAD_CREDENTIALS,
  invalid_token: BAD_CREDENTIALS,
  credential_not_accepted: {
    message: 'This API can only be accessed with username and password Basic Auth',
    status: 403,
    page: '/oauth_authorizations/#oauth-authorizations-api',
  },
  otp_required: OTP_REQUIRED,
  invalid_otp: OTP_REQUIRED,
  too_many_attempts: {
    message: 'Maximum number of login attempts exceeded. Please try again later.',
    status: 403,
  },
};

/** `{ message, errors?, documentation_url }` */
const github: Dialect = {
  name: 'github',
  schema: Type.Object({ message: Type.String(), documentation_url: Type.String() }, { title: 'GithubError' }),
  render: ({ status, headers, code, message, fields }) => {
    const known = GITHUB_ANSWERS[code];
    return {
      status: known?.status ?? status,
      headers,
      body: {
        message: known?.message ?? message,
        ...(fields.errors === undefined ? {} : { errors: fields.errors }),
        documentation_url: fields.documentationUrl ?? `${GITHUB_DOCUMENTATION}${known?.page ?? ''}`,
        ...fields.extra,
      },
    };
  },
};

/** `{ code, message, details, hint }`, always all four. */
const svc: Dialect = {
  name: 'svc',
  schema: Type.Object(
    { code: Type.String(), message: Type.String(), details: Type.Unknown(), hint: nullableText },
    { title: 'ServiceError' },
  ),
  render: ({ status, headers, code, message, fields }) => ({
    status,
    headers,
    body: { code, message, details: fields.details ?? null, hint: fields.hint ?? null, ...fields.extra },
  }),
};

export const dialects: Readonly<Record<DialectName, Dialect>> = { openai, v2, github, svc };
