/** JSON Schema of a type's values. */
import type { ValueType } from '../../engine/values/type.js';

const JSON_TYPES: Readonly<Partial<Record<ValueType['family'], string>>> = {
  integer: 'integer',
  numeric: 'number',
  float: 'number',
  boolean: 'boolean',
};

/** `format` is PostgreSQL's name of the type. */
export function typeSchema({ family, name, element, domain }: ValueType): object {
  // Only its module knows the form of its values.
  if (domain !== undefined) return { format: domain };
  if (element !== undefined) return { type: 'array', items: typeSchema(element), format: name };
  // Any JSON value, for which OpenAPI 2 has no type.
  if (family === 'json' || family === 'unknown') return { format: name };
  return { type: JSON_TYPES[family] ?? 'string', format: name };
}
