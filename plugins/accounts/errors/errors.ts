/** The codes of the contract, in `data/codes.json`, and further codes that any server of it needs. */
import { defineErrors, type ErrorRow, type ServiceError } from 'plugboard/sdk';
import codes from '../data/codes.json' with { type: 'json' };
import more from '../data/more-codes.json' with { type: 'json' };

export type ContractCode = keyof typeof codes;
/** Codes of persons and account links, which are not in the contract. */
type MoreCode = keyof typeof more;

interface CodeRow {
  readonly status: number;
  readonly on: readonly string[];
  readonly when: string;
  readonly type?: string;
  readonly user_message?: boolean;
  readonly doc_url?: boolean;
  /** No public text defines it: the meaning is ours. */
  readonly local?: boolean;
}

export const CONTRACT: Readonly<Record<ContractCode, CodeRow>> = codes;

/** All codes with a row of data. */
export const CODES: Readonly<Record<ContractCode | MoreCode, CodeRow>> = { ...codes, ...more };

const known = Object.fromEntries(
  Object.entries<CodeRow>(CODES).map(([code, { status, when, type }]) => [
    code,
    { status, message: '{message}', when, ...(type !== undefined && { type }) },
  ]),
) as Record<ContractCode | MoreCode, ErrorRow>;

export const errors = defineErrors({
  ...known,
  invalid_fields: {
    status: 400,
    message: '{message}',
    when: 'a parameter is unknown, of a wrong type or out of bounds, or a header is malformed',
  },
  unsupported_media_type: {
    status: 415,
    message: 'the body must be JSON: send content-type: application/json',
    when: 'a body has another content type than application/json',
  },
  account_closed: {
    status: 400,
    message: '{message}',
    when: 'a closed account is updated',
  },
  configs_must_match_to_close: {
    status: 400,
    message: '{message}',
    when: 'the request to close an account does not name all its applied configurations',
  },
  unknown_route: {
    status: 404,
    type: 'invalid_request_error',
    message: 'Unrecognized request URL ({method}: {path}); {instead}',
    when: 'a client of the interface calls a path that the server does not have',
  },
  test_mode_only: {
    status: 403,
    message: '{message}',
    when: 'a test helper is called with a key of a live platform',
  },
});

/** Codes used by rules and services. */
export type Code =
  | ContractCode
  | MoreCode
  | 'account_closed'
  | 'configs_must_match_to_close'
  | 'invalid_fields'
  | 'test_mode_only';

/** Why a request is refused: made by rules, which do not know HTTP. */
export interface Refusal {
  readonly code: Code;
  /** Names the parameter. */
  readonly message: string;
  /** Further members of the error. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** Carries a refusal to the routes. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly refusal: Refusal;

  constructor(refusal: Refusal, options?: ErrorOptions) {
    super(refusal.message, options);
    this.refusal = refusal;
  }
}

/** Headers that tell clients whether a retry may succeed. */
const HEADERS: Readonly<Partial<Record<Code, Readonly<Record<string, string>>>>> = {
  idempotency_error: { 'stripe-should-retry': 'false' },
  account_rate_limit_exceeded: { 'retry-after': '1' },
};

/** `documentation` returns the URL of a code's explanation. */
export function toServiceError(
  { code, message, extra }: Refusal,
  documentation: (code: string) => string,
): ServiceError {
  const row: CodeRow | undefined = (CODES as Partial<Record<Code, CodeRow>>)[code];
  return errors[code]({
    message,
    headers: HEADERS[code] ?? {},
    ...(row?.user_message === true && { userMessage: sentence(message) }),
    ...(row?.doc_url === true && { documentationUrl: documentation(code) }),
    ...(extra !== undefined && { extra }),
  });
}

/** Parameters keep their case, even at the start of a sentence. */
function sentence(message: string): string {
  const [first = ''] = message.split(' ', 1);
  const start = /^[a-z]+$/.test(first) ? `${first[0]?.toUpperCase()}${first.slice(1)}` : first;
  return `${start}${message.slice(first.length)}.`;
}
