/** Expiry: documents are hidden from the instant on, and removed from disk some time later. */
import type { Values } from '../bson/value.js';
import type { CollectionDefinition } from './definition.js';
import { someAt } from './values/path.js';

/** True once the Date under an expiring index plus its seconds has passed. */
export function isExpired(collection: CollectionDefinition, values: Values, now: number): boolean {
  for (const { spec, paths, partial } of collection.indexes) {
    if (spec.expireAfterSeconds === undefined || partial?.(values) === false) continue;
    const latest = now - spec.expireAfterSeconds * 1000;
    const ended = (value: unknown): boolean => value instanceof Date && value.getTime() <= latest;
    if (someAt(values, paths[0]!, 0, (value) => (Array.isArray(value) ? value.some(ended) : ended(value))))
      return true;
  }
  return false;
}

export function expires(collection: CollectionDefinition): boolean {
  return collection.indexes.some(({ spec }) => spec.expireAfterSeconds !== undefined);
}
