/** `nulls=stripped` inside a JSON column: removes null members, keeps array items. */
import { jsonText, NumberLiteral, parseJson } from '../values/json-text.js';

export function stripNulls(json: string): string {
  return jsonText(stripped(parseJson(json)));
}

function stripped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(stripped);
  if (typeof value !== 'object' || value === null || value instanceof NumberLiteral) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([key, member]) => [key, stripped(member)]));
}
