/** Copies of values that share nothing with the original. */
import { setMember } from './shape.js';
import { isPlainObject, MAX_DEPTH, type Values } from './value.js';

/** What cannot be stored, or lies too deep for it, is left as it is: who encodes the copy refuses it. */
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

/** Whether the value could be changed through another name for it. */
export function isReference(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
