/**
 * A schema in which each part that it repeats is written once: ajv compiles a part at every place where it stands, and a
 * body with eight addresses takes three times as long as one address and eight references.
 */

type Schema = Readonly<Record<string, unknown>>;

/** Characters: to refer to a smaller part costs more than to repeat it. */
const SMALLEST = 60;

/** Keywords whose value is a schema, a list of schemas, or a map of schemas. The values of others are data. */
const ONE = new Set([
  'additionalProperties',
  'contains',
  'if',
  'then',
  'else',
  'items',
  'not',
  'propertyNames',
]);
const LISTS = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const MAPS = new Set(['properties', 'patternProperties']);

/** A schema with references or names of its own stays as it is. */
const NAMED = /"\$(?:ref|id|defs|anchor|dynamicRef|dynamicAnchor|recursiveRef)":/;

export function withSharedParts(schema: object): object {
  const text = JSON.stringify(schema);
  if (NAMED.test(text)) return schema;
  const plain = JSON.parse(text) as Schema;
  const counts = new Map<string, number>();
  mapParts(plain, (part, key) => {
    counts.set(key, (counts.get(key) ?? 0) + 1);
    return part;
  });
  const names = new Map<string, string>();
  const $defs: Record<string, Schema> = {};
  const shared = mapParts(plain, (part, key) => {
    // A default is filled in by the object that the part stands in.
    if ((counts.get(key) ?? 0) < 2 || key.length < SMALLEST || 'default' in part) return part;
    const name = names.get(key) ?? `part${names.size}`;
    names.set(key, name);
    $defs[name] = part;
    return { $ref: `#/$defs/${name}` };
  });
  return names.size === 0 ? schema : { ...shared, $defs };
}

/** `schema` with `change` applied to each of its parts, the inner ones first; `key` is the part as it was. */
function mapParts(schema: Schema, change: (part: Schema, key: string) => Schema): Schema {
  const visit = (part: unknown): unknown =>
    isSchema(part) ? change(mapParts(part, change), JSON.stringify(part)) : part;
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]): [string, unknown] => {
      if (LISTS.has(keyword) && Array.isArray(value)) return [keyword, value.map(visit)];
      if (ONE.has(keyword)) return [keyword, Array.isArray(value) ? value.map(visit) : visit(value)];
      if (!MAPS.has(keyword) || !isSchema(value)) return [keyword, value];
      return [keyword, Object.fromEntries(Object.entries(value).map(([name, part]) => [name, visit(part)]))];
    }),
  );
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
