/** Defaults of a JSON Schema. */

/** The parts of a schema that are read here. */
interface Schema {
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
}

/** Fills in missing keys, in place. As in ajv, the branches of a union have no defaults. */
export function fillDefaults(schema: Schema, value: unknown): void {
  for (const part of schema.allOf ?? []) fillDefaults(part, value);
  if (Array.isArray(value)) {
    if (schema.items !== undefined) for (const item of value) fillDefaults(schema.items, item);
  } else if (typeof value === 'object' && value !== null) {
    const mapping = value as Record<string, unknown>;
    const { properties = {}, patternProperties = {}, additionalProperties } = schema;
    for (const [key, inner] of Object.entries(properties)) {
      if (mapping[key] === undefined && inner.default !== undefined)
        mapping[key] = structuredClone(inner.default);
      fillDefaults(inner, mapping[key]);
    }
    const patterns = Object.entries(patternProperties).map(
      ([name, inner]) => [new RegExp(name, 'u'), inner] as const,
    );
    for (const [key, member] of Object.entries(mapping)) {
      if (Object.hasOwn(properties, key)) continue;
      const [, inner = additionalProperties] = patterns.find(([names]) => names.test(key)) ?? [];
      if (typeof inner === 'object') fillDefaults(inner, member);
    }
  }
}
