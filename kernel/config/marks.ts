/** The places of a config that its schema marks: `secret`, `folder`, `file`, `deprecated`. */
import type { ConfigPath } from './problem.js';
import { suggest } from '../sdk/suggest.js';

export interface MarkedSchema {
  readonly secret?: boolean;
  readonly folder?: boolean;
  readonly file?: boolean;
  readonly deprecated?: boolean;
  readonly description?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly anyOf?: readonly MarkedSchema[];
  readonly properties?: Readonly<Record<string, MarkedSchema>>;
  /** Of a record, whose names are the user's: one pattern. */
  readonly patternProperties?: Readonly<Record<string, MarkedSchema>>;
  readonly items?: MarkedSchema;
}

export interface MarkedPlace {
  readonly path: ConfigPath;
  readonly value: unknown;
  readonly schema: MarkedSchema;
}

/** The parts of `value` whose schema has the mark. A secret is one under a misspelled key, too: it is masked. */
export function marked(
  mark: 'secret' | 'folder' | 'file' | 'deprecated',
  schema: MarkedSchema,
  value: unknown,
  path: ConfigPath,
): MarkedPlace[] {
  return places({ path, value, schema }, mark === 'secret').filter((place) => place.schema[mark] === true);
}

/** The paths of numbers where the schema takes no text: none of them is a secret, whatever its key is called. */
export function plainNumbers(schema: MarkedSchema, value: unknown, path: ConfigPath): ConfigPath[] {
  return places({ path, value, schema }, false)
    .filter((place) => typeof place.value === 'number' && takesNoText(place.schema))
    .map((place) => place.path);
}

function takesNoText({ secret, type, anyOf, ...schema }: MarkedSchema): boolean {
  if (secret === true) return false;
  return anyOf?.every(takesNoText) ?? (type === 'integer' || type === 'number' || 'const' in schema);
}

/** The parts of a value that the schema declares; with `misspelled` also those whose key is nearly one of its own. */
function places(place: MarkedPlace, misspelled: boolean): MarkedPlace[] {
  const { path, value, schema } = place;
  if (typeof value !== 'object' || value === null) return [place];
  const { properties = {}, patternProperties = {}, items } = schema;
  const [ofRecord] = Object.values(patternProperties);
  const nearest = (key: string): MarkedSchema | undefined =>
    misspelled ? properties[suggest(key, Object.keys(properties)) ?? ''] : undefined;
  const inner = Object.entries(value).flatMap(([key, part]: [string, unknown]) => {
    const under = Array.isArray(value) ? items : (properties[key] ?? ofRecord ?? nearest(key));
    const step = Array.isArray(value) ? Number(key) : key;
    return under === undefined
      ? []
      : places({ path: [...path, step], value: part, schema: under }, misspelled);
  });
  return [place, ...inner];
}
