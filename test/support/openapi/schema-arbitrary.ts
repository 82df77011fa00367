/** Values for a JSON Schema, as fast-check arbitraries: those that fit, and those that nearly do. */
import * as fc from 'fast-check';

export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly format?: string;
}

const junk = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    -1,
    0,
    1.5,
    1e308,
    '',
    ' ',
    '\u0000',
    '한국어',
    '🙂'.repeat(50),
    "'; --",
    '../../etc/passwd',
    '__proto__',
    [],
    {},
    [[]],
    { $gt: '' },
    '%',
    '*',
    'x'.repeat(60_000),
  ),
  fc.jsonValue({ maxDepth: 3 }),
);

/** A value that the schema accepts, as far as a generator can tell. */
export function fitting(schema: JsonSchema): fc.Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches !== undefined && branches.length > 0) return fc.oneof(...branches.map(fitting));
  const type = typeof schema.type === 'object' ? schema.type[0] : schema.type;
  switch (type) {
    case 'object':
      return fittingObject(schema);
    case 'array': {
      const minLength = schema.minItems ?? 0;
      return fc.array(fitting(schema.items ?? {}), {
        minLength,
        maxLength: Math.max(minLength, Math.min(schema.maxItems ?? 3, 3)),
      });
    }
    case 'string':
      return fittingText(schema);
    case 'integer':
      return fc.integer({
        min: schema.minimum ?? -10,
        max: Math.max(schema.minimum ?? 0, schema.maximum ?? 1000),
      });
    case 'number':
      return fc.double({ min: schema.minimum ?? -10, max: schema.maximum ?? 1000, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

/** A fitting value with one thing wrong, or no fitting value at all. */
export function unfitting(schema: JsonSchema): fc.Arbitrary<unknown> {
  const names = Object.keys(schema.properties ?? {});
  if (names.length === 0) return junk;
  return fc.oneof(
    { weight: 1, arbitrary: junk },
    {
      weight: 3,
      arbitrary: fc
        .tuple(fittingObject(schema), fc.constantFrom(...names), junk)
        .map(([value, name, wrong]) => ({ ...value, [name]: wrong })),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fittingObject(schema), fc.constantFrom(...names))
        .map(([value, name]) => Object.fromEntries(Object.entries(value).filter(([key]) => key !== name))),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fittingObject(schema), fc.string(), junk)
        .map(([value, name, wrong]) => ({ ...value, [name]: wrong })),
    },
  );
}

function fittingObject({
  properties = {},
  required = [],
  additionalProperties,
}: JsonSchema): fc.Arbitrary<Record<string, unknown>> {
  const named = fc.record(
    Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, fitting(inner)])),
    { requiredKeys: required.filter((name) => name in properties) },
  ) as fc.Arbitrary<Record<string, unknown>>;
  if (Object.keys(properties).length > 0 || additionalProperties === false) return named;
  return fc.dictionary(fc.string({ maxLength: 5 }), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 });
}

function fittingText({ minLength = 0, maxLength = 40, pattern, format }: JsonSchema): fc.Arbitrary<string> {
  if (format === 'date-time')
    return fc
      .date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString());
  if (format === 'uuid') return fc.uuid();
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  return fc.oneof(
    fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, 40)) }),
    fc
      .string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, 20)), unit: 'grapheme' })
      .filter((text) => text.length <= maxLength),
    fc
      .constantFrom('a', 'test', '기억해 줘', 'x'.repeat(Math.min(maxLength, 300)))
      .filter((text) => text.length >= minLength && text.length <= maxLength),
  );
}
