/** Calls to the server's API, with errors of all services as one class. */
import type { PageContext } from './contract.js';

export interface ApiRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** On the server: `/api/memory`. */
  readonly path: string;
  /** Undefined and empty values are left out. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Numbers that a double cannot hold keep their digits, as `JSON.rawJSON`. */
  readonly exact?: boolean;
}

interface Refusal {
  readonly status: number;
  readonly code: string | undefined;
  /** The refused member of the body, if the server names one. */
  readonly member: string | undefined;
  readonly requestId: string | undefined;
}

/** An error answer, with the server's own `message`. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string | undefined;
  readonly member: string | undefined;
  readonly requestId: string | undefined;

  constructor(message: string, { status, code, member, requestId }: Refusal) {
    super(message);
    this.status = status;
    this.code = code;
    this.member = member;
    this.requestId = requestId;
  }
}

/** Returns the parsed JSON; undefined for an empty body. Throws an `ApiError`. */
export async function call<T>(
  context: Pick<PageContext, 'fetch'>,
  request: ApiRequest,
  signal?: AbortSignal,
): Promise<T> {
  const { method = 'GET', body } = request;
  const response = await context.fetch(addressOf(request), {
    method,
    // The browser revalidates its copy: a feed could otherwise be cached for a minute.
    cache: 'no-cache',
    headers: {
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...request.headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  });
  const text = await response.text();
  const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '');
  const read = request.exact === true ? parseExactly : JSON.parse;
  const answer: unknown = isJson && text !== '' ? read(text) : text === '' ? undefined : text;
  if (!response.ok) throw toError(response, answer);
  return answer as T;
}

/** In browsers since 2025; in older ones the number is rounded. */
const { rawJSON } = JSON as { rawJSON?: (text: string) => unknown };

function parseExactly(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown, { source }: { source?: string } = {}) =>
    typeof value === 'number' && source !== undefined && source !== String(value) && rawJSON !== undefined
      ? rawJSON(source)
      : value,
  ) as unknown;
}

export function addressOf({ path, query = {} }: ApiRequest): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const search = new URLSearchParams(given.map(([key, value]) => [key, String(value)]));
  return search.size === 0 ? path : `${path}?${search}`;
}

/** `{ error: { message, code, param } }`, or `{ message, code }`. */
function toError(response: Response, answer: unknown): ApiError {
  const outer = (typeof answer === 'object' && answer !== null ? answer : {}) as Record<string, unknown>;
  const inner = (
    typeof outer['error'] === 'object' && outer['error'] !== null ? outer['error'] : outer
  ) as Record<string, unknown>;
  const text = (key: string): string | undefined => {
    const value = inner[key];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  return new ApiError(text('message') ?? `${response.status} ${response.statusText}`.trim(), {
    status: response.status,
    code: text('code'),
    member: text('param'),
    requestId: response.headers.get('x-request-id') ?? undefined,
  });
}
