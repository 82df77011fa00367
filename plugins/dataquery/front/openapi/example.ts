/** An example value for each column or argument of the document. */
import type { ValueType } from '../../engine/values/type.js';

interface Member {
  readonly name: string;
  readonly type: ValueType;
  /** An enumeration's. */
  readonly values?: readonly string[] | undefined;
}

export function exampleOf(members: readonly Member[]): object {
  return Object.fromEntries(
    members.map(({ name, type, values }) => [name, values?.[0] ?? EXAMPLES[type.family] ?? 'text']),
  );
}

const EXAMPLES: Readonly<Partial<Record<ValueType['family'], unknown>>> = {
  integer: 1,
  numeric: 1.5,
  float: 1.5,
  boolean: true,
  date: '2026-01-31',
  timestamp: '2026-01-31T09:00:00Z',
  time: '09:00:00',
  uuid: '0b5e2c58-9c7a-4f0e-8c3c-2f6a8f0a6f0e',
  array: [],
  json: {},
};
