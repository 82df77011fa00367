/** Finds the parts of a config that its schema marks: `secret`, `folder`, `file`, `deprecated`. */
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

/** The parts of `value` whose schema has the mark. A secret under a misspelled key counts too, so it is masked. */
export function marked(
  mark: 'secret' | 'folder' | 'file' | 'deprecated',
  schema: MarkedSchema,
  value: unknown,
  path: ConfigPath,
): MarkedPlace[] {
  return places({ path, value, schema }, mark === 'secret').filter((place) =>
    alternativesOf(place.schema, place.value).some((one) => one[mark] === true),
  );
}

/** The paths of numbers whose schema allows no text: they are never secrets, whatever the key is called. */
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
  const alternatives = alternativesOf(schema, value);
  const inner = Object.entries(value).flatMap(([key, part]: [string, unknown]) => {
    const step = Array.isArray(value) ? Number(key) : key;
    const under = alternatives.flatMap(
      (one) => schemaUnder(one, key, Array.isArray(value), misspelled) ?? [],
    );
    const [only] = under;
    if (only === undefined) return [];
    const merged = under.length === 1 ? only : { anyOf: under };
    return places({ path: [...path, step], value: part, schema: merged }, misspelled);
  });
  return [place, ...inner];
}

/** The schema and its alternatives; if constants tell the alternatives apart, only those that match. */
function alternativesOf(schema: MarkedSchema, value: unknown): MarkedSchema[] {
  const { anyOf = [] } = schema;
  const named = anyOf.filter((one) => 'const' in one && one.const === value);
  const fitting = anyOf.filter((one) => !contradicts(one, value));
  const [meant = anyOf] = [named, fitting].filter(({ length }) => length > 0);
  return [schema, ...meant.flatMap((one) => alternativesOf(one, value))];
}

function contradicts({ properties = {}, ...schema }: MarkedSchema, value: unknown): boolean {
  if ('const' in schema && schema.const !== value) return true;
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(properties).some(
    ([key, inner]) => 'const' in inner && key in value && inner.const !== Reflect.get(value, key),
  );
}

function schemaUnder(
  { properties = {}, patternProperties = {}, items }: MarkedSchema,
  key: string,
  isItem: boolean,
  misspelled: boolean,
): MarkedSchema | undefined {
  if (isItem) return items;
  const nearest = misspelled ? suggest(key, Object.keys(properties)) : undefined;
  return properties[key] ?? Object.values(patternProperties)[0] ?? properties[nearest ?? ''];
}
