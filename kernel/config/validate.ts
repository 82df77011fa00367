/** A value against a JSON Schema: fills defaults, and says every problem in a sentence with its path. */
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';
import { expandedKey } from './expand.js';
import { marked } from './marks.js';
import type { ConfigPath } from './problem.js';
import { suggest } from './suggest.js';

export interface SchemaProblem {
  readonly severity: 'error' | 'warning';
  readonly path: ConfigPath;
  /** What the path points at: an unknown key itself, or the value under a key. */
  readonly part: 'key' | 'value';
  readonly message: string;
}

export interface ValidationInput {
  readonly schema: object;
  /** Changed in place: defaults are filled in, expanded text becomes numbers and booleans where the schema wants them. */
  readonly value: unknown;
  /** Where the value stands in the config. */
  readonly path: ConfigPath;
  /** See `Expansion.expanded`. */
  readonly expanded: ReadonlySet<string>;
  /** Keys that are allowed beside those of the schema, for the list of allowed keys. */
  readonly reserved?: readonly string[];
}

/** Strict, all errors at once, no coercion, and the keywords `secret`, `folder` and `deprecated`. */
const ajv = new Ajv({
  strict: true,
  strictRequired: false,
  allErrors: true,
  useDefaults: true,
  verbose: true,
  // Optimizing what is called once or twice takes longer than it saves.
  code: { optimize: false },
});
addFormats.default(ajv);
ajv.addKeyword({ keyword: 'secret', schemaType: 'boolean' });
ajv.addKeyword({ keyword: 'folder', schemaType: 'boolean' });

// Compiling is expensive, and a compiled schema never changes.
const compiled = new WeakMap<object, ValidateFunction>();

/** Throws for a schema that is not valid JSON Schema. */
export function assertSchema(schema: object): void {
  void ajv.validateSchema(schema, true);
}

/** Throws for a schema that is not valid JSON Schema. */
export function compileSchema(schema: object): ValidateFunction {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  try {
    const validate = ajv.compile(schema);
    compiled.set(schema, validate);
    return validate;
  } finally {
    // Ajv would keep every schema that it ever saw.
    ajv.removeSchema(schema);
  }
}

export function validateValue(input: ValidationInput): SchemaProblem[] {
  const validate = compileSchema(input.schema);
  validate(input.value);
  const convertible = (validate.errors ?? []).filter((error) => convertExpanded(error, input));
  if (convertible.length > 0) validate(input.value);
  return [
    ...describeErrors(validate.errors ?? [], input),
    ...deprecations(input.schema, input.value, input.path),
  ];
}

type Mapping = Record<string | number, unknown>;

/** `"${PORT}"` is text; where the schema wants a number or a boolean, the text is read as YAML would read it. */
function convertExpanded(error: ErrorObject, { value, path, expanded }: ValidationInput): boolean {
  const steps = pointerPath(error.instancePath);
  if (error.keyword !== 'type' || steps.length === 0 || !expanded.has(expandedKey([...path, ...steps])))
    return false;
  const key = steps.pop() ?? '';
  const parent = steps.reduce((at, step) => at[step] as Mapping, value as Mapping);
  const text = parent[key];
  if (typeof text !== 'string') return false;
  const scalar: unknown = text === '' ? '' : (parse(text, { schema: 'core' }) as unknown);
  const isScalar = typeof scalar === 'number' || typeof scalar === 'boolean' || scalar === null;
  if (isScalar) parent[key] = scalar;
  return isScalar;
}

/** What is read of a schema here. */
interface ObjectSchema {
  readonly properties?: Readonly<Record<string, ObjectSchema>>;
  readonly patternProperties?: object;
  readonly description?: string;
}

function describeErrors(errors: readonly ErrorObject[], input: ValidationInput): SchemaProblem[] {
  // A union reports the union and every branch; the errors of the branches would contradict each other.
  const unions = errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf');
  const inUnion = (error: ErrorObject): boolean =>
    unions.some((union) => union !== error && error.schemaPath.startsWith(`${union.schemaPath}/`)) ||
    // A literal is a type and a value: one sentence says both.
    (error.keyword === 'type' &&
      errors.some((other) => other.keyword === 'const' && other.instancePath === error.instancePath));
  const seen = new Set<string>();
  return errors
    .filter((error) => !inUnion(error) && error.keyword !== 'if')
    .map((error) => describeError(error, input))
    .filter(({ path, message }) => {
      const key = `${expandedKey(path)}\0${message}`;
      return !seen.has(key) && seen.add(key);
    });
}

function describeError(error: ErrorObject, { path: base, reserved = [] }: ValidationInput): SchemaProblem {
  const path = [...base, ...pointerPath(error.instancePath)];
  const parameters = error.params as Record<string, unknown>;
  const at = (message: string): SchemaProblem => ({ severity: 'error', path, part: 'value', message });
  switch (error.keyword) {
    case 'additionalProperties': {
      const key = String(parameters['additionalProperty']);
      if (key === '<<') return { severity: 'error', path: [...path, key], part: 'key', message: MERGE_KEY };
      const { patternProperties, properties = {}, description } = error.parentSchema as ObjectSchema;
      const known = [...Object.keys(properties), ...(error.instancePath === '' ? reserved : [])];
      const message =
        patternProperties === undefined
          ? unknownKey(key, known.toSorted())
          : `"${key}" is not a name that is allowed here${description === undefined ? '' : `: ${description}`}`;
      return { severity: 'error', path: [...path, key], part: 'key', message };
    }
    case 'required':
      return at(`the key "${String(parameters['missingProperty'])}" is missing`);
    case 'type':
      return at(`must be ${typeText(String(parameters['type']))}, not ${typeText(jsonType(error.data))}`);
    case 'enum':
      return at(oneOf(error.data, parameters['allowedValues'] as unknown[]));
    case 'const':
      return at(oneOf(error.data, [parameters['allowedValue']]));
    case 'anyOf':
    case 'oneOf':
      return at(describeUnion(error));
    case 'format':
      return at(`must be a valid ${String(parameters['format'])}`);
    default:
      return at(boundMessage(error.keyword, parameters) ?? error.message ?? `fails "${error.keyword}"`);
  }
}

const MERGE_KEY =
  'YAML 1.2 has no merge key "<<"; write the keys out, or put what differs into a second file: plugboard run base.yaml other.yaml';

function boundMessage(keyword: string, { limit, pattern }: Record<string, unknown>): string | undefined {
  const bounds: Record<string, string> = {
    minimum: `must be at least ${String(limit)}`,
    maximum: `must be at most ${String(limit)}`,
    exclusiveMinimum: `must be more than ${String(limit)}`,
    exclusiveMaximum: `must be less than ${String(limit)}`,
    minLength: `must have at least ${String(limit)} characters`,
    maxLength: `must have at most ${String(limit)} characters`,
    minItems: `must have at least ${String(limit)} items`,
    maxItems: `must have at most ${String(limit)} items`,
    pattern: `must have the form ${String(pattern)}`,
  };
  return bounds[keyword];
}

export function unknownKey(key: string, allowed: readonly string[]): string {
  const near = suggest(key, allowed);
  const hint = near === undefined ? '' : `; did you mean "${near}"?`;
  return `unknown key "${key}"${hint} (${allowed.length === 0 ? 'no keys are allowed here' : `allowed: ${allowed.join(', ')}`})`;
}

function oneOf(value: unknown, allowed: readonly unknown[]): string {
  const names = allowed.filter((one) => typeof one === 'string');
  const near = typeof value === 'string' ? suggest(value, names) : undefined;
  const list = allowed.map((one) => JSON.stringify(one)).join(', ');
  return `must be ${allowed.length === 1 ? '' : 'one of '}${list}${near === undefined ? '' : `; did you mean "${near}"?`}`;
}

function describeUnion(error: ErrorObject): string {
  const branches = error.schema as readonly { const?: unknown; type?: string }[];
  if (branches.every((branch) => 'const' in branch))
    return oneOf(
      error.data,
      branches.map((branch) => branch.const),
    );
  const types = [...new Set(branches.flatMap(({ type }) => (type === undefined ? [] : [typeText(type)])))];
  const isOfAType = branches.some(({ type }) => type === undefined || type === jsonType(error.data));
  if (!isOfAType) return `must be ${types.join(' or ')}, not ${typeText(jsonType(error.data))}`;
  return 'has none of the forms that are allowed here';
}

function jsonType(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** A type in the words of YAML. The value itself is never shown: it may come from the environment and be a secret. */
function typeText(type: string): string {
  const words: Record<string, string> = {
    object: 'a mapping',
    array: 'a list',
    string: 'text',
    null: 'empty',
  };
  return words[type] ?? `${type === 'integer' ? 'an' : 'a'} ${type}`;
}

function pointerPath(pointer: string): (string | number)[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step.replaceAll('~1', '/').replaceAll('~0', '~')));
}

/** A warning for every key in use whose schema says `deprecated: true`. */
function deprecations(schema: object, value: unknown, path: ConfigPath): SchemaProblem[] {
  return marked('deprecated', schema, value, path).map(({ path: at, schema: { description } }) => {
    const message = `"${at.at(-1)}" is deprecated${description === undefined ? '' : `: ${description}`}`;
    return { severity: 'warning', path: at, part: 'key', message };
  });
}
