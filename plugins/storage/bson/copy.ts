/** Copies of values that share nothing with the original. */
import { setMember } from './shape.js';
import { isPlainObject, MAX_DEPTH, type Values } from './value.js';

/** Leaves values that cannot be stored, or are nested too deeply, as they are: encoding the copy refuses them. */
export function copyValue(value: unknown, depth = 0): unknown {
  if (!isReference(value) || depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.map((item) => copyValue(item, depth + 1));
  if (value instanceof Date) return new Date(value);
  if (value instanceof Uint8Array) return new Uint8Array(value);
  return isPlainObject(value) ? copyObject(value, depth + 1) : value;
}

export function copyObject(object: Values, depth = 0): Values {
  const copy: Values = {};
  for (const name of Object.keys(object)) setMember(copy, name, copyValue(object[name], depth));
  return copy;
}

/** Whether the value is mutable. */
export function isReference(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
