/** Schema parts that several schemas share. */
import { Type, type TSchema } from 'plugboard/sdk';

/** Unknown members of a body are rejected. */
export const closed = { additionalProperties: false } as const;

export function nullable<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()]);
}

/** JSON Schema's `enum`, so that an error names the allowed values. */
export function oneOf<const T extends string>(
  values: readonly T[],
  options: { default?: T; description?: string } = {},
) {
  return Type.Unsafe<T>({ type: 'string', enum: values, ...options });
}

export const ENTRY_TYPES = ['factual', 'episodic', 'procedural', 'semantic'] as const;
export type EntryType = (typeof ENTRY_TYPES)[number];

export const STRATEGIES = ['exact', 'semantic', 'hybrid'] as const;
export type Strategy = (typeof STRATEGIES)[number];
