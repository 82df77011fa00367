/** The part of JSON Schema that forms support. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
}

export interface ObjectSchema {
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

export function isRequired({ required = [], properties }: ObjectSchema, name: string): boolean {
  return required.includes(name) && properties[name]?.default === undefined;
}

/** The values of an enumeration, or of a union of constants. */
export function choicesOf({ enum: values, anyOf, const: only }: Schema): readonly string[] | undefined {
  if (values !== undefined) return values.filter((value) => value !== null).map(String);
  if (only !== undefined) return [String(only)];
  const parts = anyOf?.filter(({ type }) => type !== 'null').map(choicesOf) ?? [];
  return parts.length > 0 && parts.every((one) => one !== undefined) ? parts.flat() : undefined;
}

/** The schema without its type `null`. */
export function withoutNull(schema: Schema): Schema {
  const parts = schema.anyOf?.filter(({ type }) => type !== 'null');
  if (parts?.length === 1 && schema.anyOf!.length === 2) return { ...schema, ...parts[0] };
  const types = Array.isArray(schema.type) ? schema.type.filter((type) => type !== 'null') : undefined;
  return types?.length === 1 ? { ...schema, type: types[0]! } : schema;
}
