/** The lexemes of a value, for every type that full text search reads. */
import { parseVector, vectorOf, type Vector } from '../search/vector.js';
import type { Configuration } from '../search/words.js';
import { NumberLiteral, parseJson } from '../values/json-text.js';
import type { Stored } from '../values/stored.js';
import type { ValueType } from '../values/type.js';

/** The words of a value; undefined for a type that has none. */
export function vectorIn(
  type: ValueType,
  configuration: Configuration,
): ((value: Stored) => Vector) | undefined {
  switch (type.family) {
    case 'tsvector':
      return (value) => parseVector(value as string);
    case 'text':
    case 'unknown':
      return (value) => vectorOf([type.toText(value)], configuration);
    case 'json':
      return (value) => vectorOf(textsIn(parseJson(value as string)), configuration);
    default:
      return undefined;
  }
}

/** The texts of a document, without its keys. */
function textsIn(document: unknown): string[] {
  if (typeof document === 'string') return [document];
  if (typeof document !== 'object' || document === null || document instanceof NumberLiteral) return [];
  return Object.values(document).flatMap(textsIn);
}
