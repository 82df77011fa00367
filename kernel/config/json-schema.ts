/** A plugin's schema as plain JSON Schema of draft 2020-12, which editors and OpenAPI 3.1 read. */

export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly title?: string;
  readonly description?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly items?: JsonSchema | boolean;
  readonly prefixItems?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly [keyword: string]: unknown;
}

const ONE = ['additionalProperties', 'contains', 'if', 'then', 'else', 'items', 'not', 'propertyNames'];
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const MAPS = ['properties', 'patternProperties', '$defs'];

/** Without the hidden members of TypeBox, without keywords of the server's own, and with tuples as `prefixItems`. */
export function modernSchema(schema: object): JsonSchema {
  return mapSchema(JSON.parse(JSON.stringify(schema)) as JsonSchema, modernPart);
}

function modernPart({
  secret: _,
  folder: __,
  file: ___,
  movedTo: ____,
  additionalItems,
  ...part
}: JsonSchema): JsonSchema {
  if (!Array.isArray(part.items)) return part;
  const { items, ...rest } = part;
  // Generators of clients do not know a schema that is `false`.
  const bound = additionalItems === false ? { maxItems: items.length } : {};
  return { ...rest, prefixItems: items as JsonSchema[], ...bound };
}

/** Without `required` for members that have a default: who writes the value may leave them out. */
export function withoutNeedlessRequired(schema: JsonSchema): JsonSchema {
  return mapSchema(schema, ({ required, ...part }) => {
    const needed = required?.filter((name) => part.properties?.[name]?.default === undefined) ?? [];
    return needed.length === 0 ? part : { ...part, required: needed };
  });
}

/** The schema with `change` applied to it and to each of its parts, the inner ones first. */
export function mapSchema(schema: JsonSchema, change: (part: JsonSchema) => JsonSchema): JsonSchema {
  return change(mapParts(schema, (part) => mapSchema(part, change)));
}

/** The schema with `change` applied to its direct subschemas. */
export function mapParts(schema: JsonSchema, change: (part: JsonSchema) => JsonSchema): JsonSchema {
  const visit = (part: unknown): unknown => (isSchema(part) ? change(part) : part);
  const visitKeyword = ([keyword, value]: [string, unknown]): [string, unknown] => {
    if (LISTS.includes(keyword) || (keyword === 'items' && Array.isArray(value)))
      return [keyword, (value as unknown[]).map(visit)];
    if (ONE.includes(keyword)) return [keyword, visit(value)];
    if (!MAPS.includes(keyword) || !isSchema(value)) return [keyword, value];
    return [keyword, Object.fromEntries(Object.entries(value).map(([name, part]) => [name, visit(part)]))];
  };
  return Object.fromEntries(Object.entries(schema).map(visitKeyword));
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
