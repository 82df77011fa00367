/**
 * Checks a value against a JSON Schema: fills in defaults and reports every problem in a sentence with its path. A
 * valid value of one of the server's own schemas, the usual case at a start, is checked without compiling the schema,
 * which would take a fifth of the start.
 */
import { parse } from 'yaml';
import { Value } from '../sdk/typebox.js';
import { fillDefaults } from './defaults.js';
import { expandedKey } from './expand.js';
import { marked } from './marks.js';
import { pointerPath } from './pointer.js';
import type { ConfigPath, SchemaProblem } from './problem.js';

export interface ValidationInput {
  readonly schema: object;
  /**
   * Changed in place: defaults are filled in, expanded text becomes numbers and booleans where the schema wants them.
   */
  readonly value: unknown;
  /** The value's place in the config. */
  readonly path: ConfigPath;
  /** See `Expansion.expanded`. */
  readonly expanded: ReadonlySet<string>;
  /** Whether a test has shown that TypeBox and ajv agree on the schema. */
  readonly tested: boolean;
  /** Keys that are allowed besides those of the schema, for the list of allowed keys. */
  readonly reserved?: readonly string[];
}

export async function validateValue(input: ValidationInput): Promise<SchemaProblem[]> {
  const { schema, value, path, tested } = input;
  const mismatches = tested
    ? quickCheck(schema, value)
    : (await import('./explain.js')).fullCheck(schema, value);
  let errors = mismatches();
  // TypeBox names the first few.
  while (errors.filter((error) => convertExpanded(error, input)).length > 0) errors = mismatches();
  const problems = errors.length === 0 ? [] : (await import('./explain.js')).explain(input);
  return [...problems, ...deprecations(schema, value, path)];
}

function quickCheck(schema: object, value: unknown): () => readonly Mismatch[] {
  fillDefaults(schema, value);
  return () => Value.Errors(schema, value);
}

type Mapping = Record<string | number, unknown>;

/** An error of TypeBox or of ajv. */
interface Mismatch {
  readonly keyword: string;
  readonly instancePath: string;
}

/** `"${PORT}"` is text; where the schema wants a number or a boolean, the text is read as YAML would read it. */
function convertExpanded(error: Mismatch, { value, path, expanded }: ValidationInput): boolean {
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

/** A warning for every key in use whose schema says `deprecated: true`. */
function deprecations(schema: object, value: unknown, path: ConfigPath): SchemaProblem[] {
  return marked('deprecated', schema, value, path).map(({ path: at, schema: { description } }) => {
    const message = `"${at.at(-1)}" is deprecated${description === undefined ? '' : `: ${description}`}`;
    return { severity: 'warning', path: at, part: 'key', message };
  });
}
