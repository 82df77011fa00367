/** What is wrong with a value, each problem in a sentence with its path. */
import type { ErrorObject } from 'ajv';
import { compileSchema } from './compile.js';
import { expandedKey } from './expand.js';
import { pointerPath } from './pointer.js';
import { oneOf, unknownKey } from './expected.js';
import type { ConfigPath, SchemaProblem } from './problem.js';

/** What is checked, see `ValidationInput`. */
interface Checked {
  readonly schema: object;
  readonly value: unknown;
  readonly path: ConfigPath;
  readonly reserved?: readonly string[];
}

/** Checks the value as of the call. */
export function fullCheck(schema: object, value: unknown): () => readonly ErrorObject[] {
  const validate = compileSchema(schema);
  return () => (validate(value) ? [] : (validate.errors ?? []));
}

/** Every problem of a value at once. */
export function explain(input: Checked): SchemaProblem[] {
  const validate = compileSchema(input.schema);
  validate(input.value);
  return describeErrors(validate.errors ?? [], input);
}

/** The parts of a schema that are read here. */
interface ObjectSchema {
  readonly properties?: Readonly<Record<string, ObjectSchema>>;
  readonly patternProperties?: object;
  readonly description?: string;
}

function describeErrors(errors: readonly ErrorObject[], input: Checked): SchemaProblem[] {
  // A union reports the union and every branch; the errors of the branches would contradict each other.
  const unions = errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf');
  const inUnion = (error: ErrorObject): boolean =>
    unions.some((union) => union !== error && error.schemaPath.startsWith(`${union.schemaPath}/`)) ||
    // A literal has a type and a value: one sentence covers both.
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

function describeError(error: ErrorObject, { path: base, reserved = [] }: Checked): SchemaProblem {
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
