/** Storage names for catalog names, which may hold any character. Different names stay different. */
import { createHash } from 'node:crypto';

/**
 * The member of a document for a column. Storage reads `.` as a path, `$` as an operator, `,` as the separator
 * of an index's paths and `_id` as its own: those, and the escape `~` itself, become `~` and two hex digits.
 */
export function fieldName(column: string): string {
  return column.replace(
    /[.$,~\0]|^_/g,
    (character) => `~${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
}

/**
 * The collection for a relation: readable if the names are plain, with a hash if they had to be changed. Collection
 * names are lower case letters, digits and `_`.
 */
export function collectionName(schema: string, relation: string): string {
  const plain = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/;
  if (plain.test(schema) && plain.test(relation)) return `rows_${schema}__${relation}`;
  const hash = createHash('sha256')
    .update(JSON.stringify([schema, relation]))
    .digest('hex')
    .slice(0, 10);
  const readable = `${schema}_${relation}`
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .slice(0, 40);
  return `rows_${readable}_${hash}`;
}
