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

/** The parts of `value` whose schema has the mark. A secret is one under a misspelled key, too: it is masked. */
export function marked(
  mark: 'secret' | 'folder' | 'deprecated',
  schema: MarkedSchema,
  value: unknown,
  path: ConfigPath,
): MarkedPlace[] {
  const here = schema[mark] === true ? [{ path, value, schema }] : [];
  if (typeof value !== 'object' || value === null) return here;
  const { properties = {}, items } = schema;
  const misspelled = (key: string): MarkedSchema | undefined =>
    mark === 'secret' ? properties[suggest(key, Object.keys(properties)) ?? ''] : undefined;
  const inner = Object.entries(value).flatMap(([key, part]) => {
    const under = Array.isArray(value) ? items : (properties[key] ?? misspelled(key));
    const step = Array.isArray(value) ? Number(key) : key;
    return under === undefined ? [] : marked(mark, under, part, [...path, step]);
  });
  return [...here, ...inner];
}
