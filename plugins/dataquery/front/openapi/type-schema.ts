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
  // Its module shows the values in a form that only it knows.
  if (domain !== undefined) return { format: domain };
  if (element !== undefined) return { type: 'array', items: typeSchema(element), format: name };
  // Any JSON value: no type says so in OpenAPI 2.
  if (family === 'json' || family === 'unknown') return { format: name };
  return { type: JSON_TYPES[family] ?? 'string', format: name };
}
