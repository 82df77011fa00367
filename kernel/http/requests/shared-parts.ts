/**
 * Moves the repeated parts of a schema into `$defs`: ajv compiles every occurrence, so a body with eight addresses
 * takes three times as long as one address and eight references.
 */
import { mapParts, type JsonSchema } from '../../config/json-schema.js';

/** Characters: a reference to a smaller part costs more than repeating it. */
const SMALLEST = 60;

/** A schema with references or names of its own stays as it is. */
const NAMED = /"\$(?:ref|id|defs|anchor|dynamicRef|dynamicAnchor|recursiveRef)":/;

export function withSharedParts(schema: object): object {
  const text = JSON.stringify(schema);
  if (NAMED.test(text)) return schema;
  const plain = JSON.parse(text) as JsonSchema;
  const counts = new Map<string, number>();
  mapAll(plain, (part, key) => {
    counts.set(key, (counts.get(key) ?? 0) + 1);
    return part;
  });
  const names = new Map<string, string>();
  const $defs: Record<string, JsonSchema> = {};
  const shared = mapAll(plain, (part, key) => {
    // ajv fills in a default from the enclosing object.
    if ((counts.get(key) ?? 0) < 2 || key.length < SMALLEST || 'default' in part) return part;
    const name = names.get(key) ?? `part${names.size}`;
    names.set(key, name);
    $defs[name] = part;
    return { $ref: `#/$defs/${name}` };
  });
  return names.size === 0 ? schema : { ...shared, $defs };
}

/** `schema` with `change` applied to each of its parts, the inner ones first; `key` is the part as it was. */
function mapAll(schema: JsonSchema, change: (part: JsonSchema, key: string) => JsonSchema): JsonSchema {
  return mapParts(schema, (part) => change(mapAll(part, change), JSON.stringify(part)));
}
