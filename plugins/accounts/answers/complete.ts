/** Answers have every member of their schema, null if unset. */
import type { TSchema } from 'plugboard/sdk';

/** The relevant parts of a JSON schema. */
interface Shape {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
  readonly enum?: readonly unknown[];
  readonly additionalProperties?: boolean | Shape;
}

/** Never in an answer, or only when set. */
const WRITE_ONLY = new Set(['value', 'sealed']);
const IF_SET = new Set(['registrar', 'signer']);

/** `value` with every member of the request's schema. */
export function complete(schema: TSchema, value: unknown): unknown {
  return fill(schema as Shape, value);
}

function fill(shape: Shape, value: unknown): unknown {
  if (value === undefined || value === null) return null;
  if (Array.isArray(value)) return value.map((item) => fill(shape.items ?? {}, item));
  if (shape.properties === undefined) return value;
  const given = value as Readonly<Record<string, unknown>>;
  const idNumber = isIdNumber(shape);
  return Object.fromEntries(
    Object.entries(shape.properties)
      .filter(
        ([name]) => !(idNumber && WRITE_ONLY.has(name)) && !(IF_SET.has(name) && given[name] === undefined),
      )
      .map(([name, inner]) => [name, fill(inner, given[name])]),
  );
}

/** The schema of the result of `complete`, from the schema of the request. */
export function completeSchema(schema: TSchema): TSchema {
  return answerOf(schema as Shape) as TSchema;
}

function answerOf(shape: Shape): object {
  if (shape.items !== undefined)
    return { type: ['array', 'null'], items: { ...answerOf(shape.items), type: plain(shape.items) } };
  if (shape.properties !== undefined) {
    const idNumber = isIdNumber(shape);
    const names = Object.keys(shape.properties).filter((name) => !(idNumber && WRITE_ONLY.has(name)));
    return {
      type: ['object', 'null'],
      properties: Object.fromEntries(names.map((name) => [name, answerOf(shape.properties?.[name] ?? {})])),
      required: names.filter((name) => !IF_SET.has(name)),
      additionalProperties: false,
    };
  }
  if (typeof shape.additionalProperties === 'object')
    return { type: ['object', 'null'], additionalProperties: { type: 'string' } };
  const type = shape.enum === undefined ? plain(shape) : 'string';
  return { type: [type, 'null'] };
}

/** Without the null. */
function plain({ type, enum: values }: Shape): string {
  if (values !== undefined) return 'string';
  return [type ?? 'string'].flat().find((one) => one !== 'null') ?? 'string';
}

function isIdNumber({ properties = {} }: Shape): boolean {
  return 'type' in properties && 'value' in properties;
}
