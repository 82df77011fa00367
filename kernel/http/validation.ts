/** Requests against the schemas of their routes. */
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import type { FastifySchemaCompiler, RouteOptions } from 'fastify';
import type { InvalidRequest } from '../sdk/errors.js';
import { suggest } from '../config/suggest.js';
import { assertSchema } from '../config/validate.js';
import { withSharedParts } from './shared-parts.js';

/**
 * Bodies are taken as they are: no coercion, nothing removed, defaults filled in. Query, path and headers are
 * text, so they are coerced to what the schema wants. One problem at a time, so that a large bad body costs little.
 */
export class RouteValidators {
  readonly #strict = createAjv(false);
  readonly #coercing = createAjv('array');
  readonly #large: (() => unknown)[] = [];

  readonly compiler: FastifySchemaCompiler<object> = ({ schema, httpPart }) => {
    const part = httpPart as InvalidRequest['part'];
    // Compiled by the first request: a start that compiles what nobody asks for is slow, by 0.2 s for one large body.
    let compiled: ValidateFunction | undefined;
    const compile = (): ValidateFunction =>
      (compiled ??=
        part === 'body' ? this.#strict.compile(withSharedParts(schema)) : this.#coercing.compile(schema));
    if (JSON.stringify(schema).length > LARGE) this.#large.push(compile);
    return (value: unknown) => {
      const validate = compile();
      if (validate(value)) return { value };
      const [error] = validate.errors ?? [];
      return { error: error === undefined ? new Error('the request was refused') : refusal(part, error) };
    };
  };

  /** Compiles the large schemas, with pauses, so that no request has to wait for one. Returns the end of it. */
  warm(): () => void {
    const next = (): void => {
      this.#large.pop()?.();
      if (this.#large.length > 0) timer.refresh();
    };
    const timer = setTimeout(next, WARM_EVERY).unref();
    return () => clearTimeout(timer);
  }
}

/** Characters of a schema that takes tens of milliseconds to compile. */
const LARGE = 8_000;
/** Milliseconds. */
const WARM_EVERY = 500;

/** Throws for a schema that is not JSON Schema while the plugin mounts the route; it is compiled later. */
export function assertRouteSchemas({ method, url, schema = {} }: RouteOptions): void {
  for (const part of ['params', 'querystring', 'headers', 'body'] as const) {
    if (typeof schema[part] !== 'object') continue;
    try {
      assertSchema(schema[part] as object);
    } catch (error) {
      const reason = (error as Error).message.replace(/^schema is invalid: /, '');
      throw new Error(`the ${part} schema of ${String(method)} ${url} is not JSON Schema: ${reason}`, {
        cause: error,
      });
    }
  }
}

function createAjv(coerceTypes: false | 'array'): Ajv {
  // Each Ajv would compile JSON Schema's own schema again, which takes longer than a small route.
  const ajv = new Ajv({
    useDefaults: true,
    coerceTypes,
    strict: false,
    verbose: true,
    validateSchema: false,
    inlineRefs: false,
    // Optimizing takes two thirds of the compilation and does not make a check faster: 495 ms or 160, then 6 us.
    code: { optimize: false },
  });
  addFormats.default(ajv);
  ajv.addFormat('date-time', isInstant);
  return ajv;
}

const dateTime = (() => {
  const { validate } = fullFormats['date-time'] as { validate: (text: string) => boolean };
  return validate;
})();

/** RFC 3339 has leap seconds, a clock has none: `23:59:60` is not an instant. */
function isInstant(text: string): boolean {
  return dateTime(text) && !Number.isNaN(Date.parse(text));
}

function refusal(part: InvalidRequest['part'], error: ErrorObject): Error {
  const problem = describe(part, error);
  return Object.assign(new Error(problem.message), { invalidRequest: problem });
}

function describe(part: InvalidRequest['part'], error: ErrorObject): InvalidRequest {
  const parameters = error.params as Record<string, unknown>;
  const at = error.instancePath.slice(1).replaceAll('/', '.');
  const child = String(parameters['missingProperty'] ?? parameters['additionalProperty'] ?? '');
  const path = child === '' ? at : at === '' ? child : `${at}.${child}`;
  return { part, path, keyword: error.keyword, message: sentence(part, path, error, parameters) };
}

function sentence(
  part: string,
  path: string,
  error: ErrorObject,
  parameters: Record<string, unknown>,
): string {
  const name = path === '' ? `the ${part === 'querystring' ? 'query' : part}` : path;
  switch (error.keyword) {
    case 'required':
      return `${name} is required`;
    case 'additionalProperties': {
      const known = Object.keys((error.parentSchema as { properties?: object }).properties ?? {});
      const near = suggest(path.split('.').at(-1) ?? '', known);
      return `${name} is not a known ${part === 'body' ? 'property' : 'parameter'}${near === undefined ? '' : `; did you mean "${near}"?`}`;
    }
    case 'enum':
      return `${name} must be one of ${(parameters['allowedValues'] as unknown[]).map((one) => JSON.stringify(one)).join(', ')}`;
    case 'type':
      // Fastify passes null for a body that was not sent.
      return `${name} must be ${error.data === undefined || (path === '' && error.data === null) ? 'given' : `of type ${String(parameters['type']).replaceAll(',', ' or ')}`}`;
    default: {
      const subject = error.propertyName === undefined ? name : `a key of ${name}`;
      return `${subject} ${error.message?.replace('must NOT', 'must not') ?? 'is not valid'}`;
    }
  }
}
