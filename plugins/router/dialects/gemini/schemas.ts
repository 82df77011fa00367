/** Google's schemas are a part of OpenAPI's, with types in capitals; everybody else takes JSON Schema. */
import { isObject, Unreadable } from '../reading.js';
import type { Json } from '../dialect.js';

/** Levels of a schema: more than any model reads. */
const DEEPEST = 100;

export function jsonSchemaOf(schema: Json, at: string, depth = 0): Json {
  if (depth > DEEPEST) throw new Unreadable(at, `at most ${DEEPEST} levels deep`);
  const inner = (value: unknown): unknown => (isObject(value) ? jsonSchemaOf(value, at, depth + 1) : value);
  return Object.fromEntries(
    Object.entries(schema).flatMap(([name, value]): [string, unknown][] => {
      if (name === 'type' && typeof value === 'string') {
        const type = value.toLowerCase();
        return [['type', schema['nullable'] === true ? [type, 'null'] : type]];
      }
      if (name === 'nullable' || name === 'propertyOrdering') return [];
      if (name === 'properties' && isObject(value))
        return [[name, Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inner(one)]))]];
      if (name === 'anyOf' && Array.isArray(value)) return [[name, value.map(inner)]];
      return [[name, name === 'items' ? inner(value) : value]];
    }),
  );
}
