/** Errors that a client may see: one class, one table of codes per plugin, four wire shapes. */

/** Fields that some dialects send besides code and message. A dialect leaves out those it does not know. */
interface ErrorFields {
  /** openai: the class of error; default by status. v2: likewise. */
  type?: string;
  /** openai: the parameter at fault. */
  param?: string | null;
  /** svc: what went wrong in detail. */
  details?: unknown;
  /** svc: what to do next. */
  hint?: string | null;
  /** github: one entry per field at fault. */
  errors?: readonly unknown[];
  /** github, v2: where the error is explained. */
  documentationUrl?: string;
  /** v2: a sentence for the end user. */
  userMessage?: string;
  /** Further members of the error object, sent unchanged. */
  extra?: Readonly<Record<string, unknown>>;
}

interface ServiceErrorOptions extends ErrorFields {
  status: number;
  message: string;
  headers?: Readonly<Record<string, string>>;
  cause?: unknown;
}

const BRAND = Symbol.for('plugboard.ServiceError');

/** An error made for the client: its message is sent. Anything else that is thrown becomes a 500 without its text. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly fields: Readonly<ErrorFields>;

  constructor(code: string, options: ServiceErrorOptions) {
    const { status, message, headers, cause, ...fields } = options;
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.status = status;
    this.headers = headers ?? {};
    this.fields = fields;
  }

  get [BRAND](): true {
    return true;
  }
}

/** Checks a brand instead of instanceof, so errors of another copy of the SDK count too. */
export function isServiceError(value: unknown): value is ServiceError {
  return typeof value === 'object' && value !== null && BRAND in value;
}

/** One row of a plugin's error table. */
export interface ErrorRow {
  readonly status: number;
  /** The default sentence; `{name}` is replaced by the value of that name. */
  readonly message: string;
  /** When it happens, for the reference page. */
  readonly when: string;
  readonly type?: string;
}

export interface ErrorDetails extends ErrorFields {
  message?: string;
  headers?: Readonly<Record<string, string>>;
  cause?: unknown;
  status?: number;
  /** What fills the `{name}`s of the row's message. */
  values?: Readonly<Record<string, unknown>>;
}

export type ErrorTable<R extends Readonly<Record<string, ErrorRow>>> = {
  readonly [K in keyof R]: (details?: ErrorDetails) => ServiceError;
} & { readonly [ERROR_ROWS]: R };

/** The key under which a table made by `defineErrors` keeps its rows, for the reference page. */
export const ERROR_ROWS: unique symbol = Symbol.for('plugboard.errorRows') as never;

/**
 * Makes a plugin's table of errors: `const errors = defineErrors({ preset_not_found: {...} })`, then
 * `throw errors.preset_not_found({ values: { id } })`.
 */
export function defineErrors<const R extends Readonly<Record<string, ErrorRow>>>(rows: R): ErrorTable<R> {
  const makers = Object.entries(rows).map(([code, row]) => [code, makeError(code, row)] as const);
  return Object.freeze({ ...Object.fromEntries(makers), [ERROR_ROWS]: rows }) as ErrorTable<R>;
}

function makeError(code: string, row: ErrorRow): (details?: ErrorDetails) => ServiceError {
  return ({ values = {}, message, status, ...fields } = {}) =>
    new ServiceError(code, {
      ...(row.type === undefined ? {} : { type: row.type }),
      ...fields,
      status: status ?? row.status,
      message:
        message === undefined
          ? row.message.replace(/\{(\w+)\}/g, (_, name: string) => shortenedValue(String(values[name])))
          : shortenedMessage(message),
    });
}

/** Values often come from the caller. */
const LONGEST_VALUE = 500;

function shortenedValue(text: string): string {
  return text.length <= LONGEST_VALUE ? text : `${text.slice(0, LONGEST_VALUE)}...`;
}

/** Messages may hold such a value too. What is wrong is said before or after it. */
const LONGEST_MESSAGE = 10_000;

function shortenedMessage(text: string): string {
  return text.length <= LONGEST_MESSAGE
    ? text
    : `${text.slice(0, LONGEST_MESSAGE / 2)}...${text.slice(-500)}`;
}

/** A request that fails its route's schema. */
export interface InvalidRequest {
  /** The part of the request at fault. */
  readonly part: 'body' | 'querystring' | 'params' | 'headers';
  /** The property at fault, dotted; empty for the part as a whole. */
  readonly path: string;
  /** The JSON Schema keyword that failed, e.g. `minimum`, `additionalProperties`. */
  readonly keyword: string;
  /** A sentence that names the property and what was expected of it. */
  readonly message: string;
}

export type DialectName = 'openai' | 'v2' | 'github' | 'svc';

/** The wire shape of errors. The built-in ones go by name; a plugin may bring its own. */
export interface Dialect {
  readonly name: string;
  /** JSON Schema of the body, for the OpenAPI document. */
  readonly schema?: object;
  render(error: ServiceError, request: { readonly id: string }): ErrorAnswer;
}

export interface ErrorAnswer {
  readonly status: number;
  /** In lower case. A `content-type` replaces JSON's. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body: unknown;
}

/** The errors provider: every error that a client sees goes through it. */
export interface ErrorRenderer {
  /** A ServiceError in the dialect of the route. */
  render(error: ServiceError, dialect: DialectName | Dialect, request: { readonly id: string }): ErrorAnswer;
  /** JSON Schema of what `render` makes, for the OpenAPI document. */
  schema(dialect: DialectName | Dialect): object | undefined;
}
