/** `fts`, `plfts`, `phfts` and `wfts`: `@@` of a column that holds words. */
import { errors } from '../base/errors.js';
import type { Operation } from '../query/query.js';
import { configurationNamed, type Configuration } from '../search/configuration.js';
import { matches } from '../search/match.js';
import { searchQuery } from '../search/query.js';
import { parseVector, vectorOf, type Vector } from '../search/vector.js';
import { NumberLiteral, parseJson } from '../values/json-text.js';
import type { Stored } from '../values/stored.js';
import type { ValueType } from '../values/type.js';
import type { Condition } from './condition.js';
import type { Value } from './value.js';

export function textSearch(
  value: Value,
  { mode, language, value: text }: Extract<Operation, { kind: 'search' }>,
): Condition {
  const configuration = configurationNamed(language);
  const vector = vectorIn(value.type, configuration);
  if (vector === undefined) {
    throw errors['42883']({
      values: { left: value.type.name, operator: '@@', right: 'tsquery' },
      hint: 'No operator matches the given name and argument types. You might need to add explicit type casts.',
    });
  }
  const query = searchQuery(mode, text, configuration);
  const test = (stored: Stored): boolean => query !== undefined && matches(vector(stored), query);
  return { kind: 'test', value, test, pattern: undefined };
}

/** The words of a value; undefined for a type that has none. */
function vectorIn(type: ValueType, configuration: Configuration): ((value: Stored) => Vector) | undefined {
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
