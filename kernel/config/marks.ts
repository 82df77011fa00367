/** The places of a config that its schema marks: `secret`, `folder`, `deprecated`. */
import type { ConfigPath } from './problem.js';
import { suggest } from './suggest.js';

export interface MarkedSchema {
  readonly secret?: boolean;
  readonly folder?: boolean;
  readonly deprecated?: boolean;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, MarkedSchema>>;
  readonly items?: MarkedSchema;
}

export interface MarkedPlace {
  readonly path: ConfigPath;
  readonly value: unknown;
  readonly schema: MarkedSchema;
}

/** The parts of `value` whose schema has the mark. A misspelled key counts as the one that it is nearest to. */
export function marked(
  mark: 'secret' | 'folder' | 'deprecated',
  schema: MarkedSchema,
  value: unknown,
  path: ConfigPath,
): MarkedPlace[] {
  const here = schema[mark] === true ? [{ path, value, schema }] : [];
  if (typeof value !== 'object' || value === null) return here;
  const { properties = {}, items } = schema;
  const inner = Object.entries(value).flatMap(([key, part]) => {
    const under = Array.isArray(value)
      ? items
      : (properties[key] ?? properties[suggest(key, Object.keys(properties)) ?? '']);
    const step = Array.isArray(value) ? Number(key) : key;
    return under === undefined ? [] : marked(mark, under, part, [...path, step]);
  });
  return [...here, ...inner];
}
