/**
 * The error in an upstream's body: OpenAI's `{error: {message, code, param}}`, Anthropic's with `type` in place of
 * `code`, Google's with `status` and `details`, which it also sends as a list of one.
 */
export interface UpstreamError {
  readonly message: string;
  readonly code: string | undefined;
  readonly param: string | undefined;
  /** Milliseconds; Google says in the body when to come back. */
  readonly retryDelay: number | undefined;
}

export function readUpstreamError(text: string): UpstreamError {
  const error = errorOf(text);
  const details = Array.isArray(error['details']) ? error['details'].filter(isObject) : [];
  const reason = details.map((detail) => textOf(detail['reason'])).find((name) => name !== undefined);
  const delay = details.map((detail) => textOf(detail['retryDelay'])).find((name) => name !== undefined);
  return {
    message: textOf(error['message']) ?? '',
    code: reason ?? textOf(error['code']) ?? textOf(error['status']) ?? textOf(error['type']),
    param: textOf(error['param']),
    retryDelay: delay === undefined ? undefined : millisecondsOf(delay),
  };
}

/** A duration of protobuf's JSON form: `13s`, `1.5s`. */
function millisecondsOf(duration: string): number | undefined {
  const seconds = /^(\d{1,5}(?:\.\d{1,9})?)s$/.exec(duration)?.[1];
  return seconds === undefined ? undefined : Math.ceil(Number(seconds) * 1_000);
}

function errorOf(text: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text);
    const body: unknown = Array.isArray(parsed) ? parsed[0] : parsed;
    if (!isObject(body)) return {};
    const error = body['error'];
    if (typeof error === 'string') return { message: error };
    return isObject(error) ? error : {};
  } catch {
    return {};
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
