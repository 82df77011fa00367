/** Route schemas, compiled by ajv, and the errors they make. */
import { Ajv, type ErrorObject } from 'ajv';
import addFormats from 'ajv-formats';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import type { RouteOptions } from 'fastify';
import { assertSchema } from '../../config/compile.js';
import { suggest } from '../../sdk/suggest.js';
import type { InvalidRequest } from '../../sdk/http/errors.js';
import { withSharedParts } from './shared-parts.js';

/** A validator as Fastify takes it. */
export type Verdict = true | { readonly error: Error };

/**
 * Bodies are taken as they are: no coercion, nothing removed, defaults filled in. Query, path and headers are
 * text, so they are coerced to what the schema wants. One problem at a time, so that a large bad body costs little.
 */
export class RequestSchemas {
  readonly #strict = createAjv(false);
  readonly #coercing = createAjv('array');

  compile(part: InvalidRequest['part'], schema: object): (value: unknown) => Verdict {
    const validate =
      part === 'body' ? this.#strict.compile(withSharedParts(schema)) : this.#coercing.compile(schema);
    return (value) => {
      if (validate(value)) return true;
      const error = telling(validate.errors ?? []);
      return { error: error === undefined ? new Error('the request was refused') : refusal(part, error) };
    };
  }
}

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

/** RFC 3339 has leap seconds, clocks do not: `23:59:60` is not an instant. */
function isInstant(text: string): boolean {
  return dateTime(text) && !Number.isNaN(Date.parse(text));
}

/**
 * The most helpful error. For a union ajv reports the errors of each member in order: an error inside a member whose
 * type matches comes first; otherwise the error lists the choices.
 */
function telling(found: readonly ErrorObject[]): ErrorObject | undefined {
  const union = found.at(-1);
  if (union?.keyword !== 'anyOf') return found[0];
  const members = found.slice(0, -1).filter(({ keyword }) => keyword !== 'anyOf');
  const inside = members.filter(
    ({ instancePath, keyword }) => instancePath !== union.instancePath || !CHOICES.has(keyword),
  );
  const fault = inside.find(({ keyword }) => !CHOICES.has(keyword));
  if (fault !== undefined) return fault;
  const first = inside[0] ?? members[0];
  if (first === undefined) return union;
  const choices = members.filter(({ instancePath }) => instancePath === first.instancePath);
  return choices.length === 1 ? first : { ...first, keyword: 'anyOf', params: { choices } };
}

/** Keywords that tell the members of a union apart. */
const CHOICES: ReadonlySet<string> = new Set(['type', 'const', 'enum']);

/** `"a", "b" or of type number`. */
function choiceText(choices: readonly ErrorObject[]): string {
  const values = [
    ...new Set(
      choices.flatMap(({ params: { allowedValue, allowedValues } }) =>
        ((allowedValues ?? (allowedValue === undefined ? [] : [allowedValue])) as unknown[]).map((one) =>
          JSON.stringify(one),
        ),
      ),
    ),
  ];
  const types = choices
    .flatMap(({ params: { type } }) => (type === undefined ? [] : [type as string | string[]]))
    .flat();
  const named = values.length === 0 ? [] : [`${values.length === 1 ? '' : 'one of '}${values.join(', ')}`];
  const typed = types.length === 0 ? [] : [`of type ${[...new Set(types)].join(' or ')}`];
  return [...named, ...typed].join(' or ');
}

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': 'a time with its offset, such as 2026-01-31T09:00:00Z',
  email: 'an email address',
  uri: 'a URL, such as https://example.com/',
  uuid: 'a UUID',
};

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
    case 'anyOf':
      return `${name} must be ${choiceText((parameters['choices'] ?? []) as ErrorObject[])}`;
    case 'const':
      return `${name} must be ${JSON.stringify(parameters['allowedValue'])}`;
    default: {
      const wanted = error.keyword === 'format' ? FORMATS[String(parameters['format'])] : undefined;
      if (wanted !== undefined) return `${name} must be ${wanted}`;
      if (error.keyword === 'pattern' && parameters['pattern'] === '\\S') return `${name} must not be blank`;
      const subject = error.propertyName === undefined ? name : `a key of ${name}`;
      return `${subject} ${error.message?.replace('must NOT', 'must not') ?? 'is not valid'}`;
    }
  }
}
