/** The arguments of a call: parsed by their types, with defaults for missing ones. */
import type { Argument, CatalogFunction } from '../catalog/model.js';
import type { Stored } from '../values/stored.js';

/** As received: texts of the query string, or members of a JSON body. */
export type GivenArguments =
  | { readonly from: 'query'; readonly values: ReadonlyMap<string, string> }
  | { readonly from: 'body'; readonly values: Readonly<Record<string, unknown>> };

export type BoundArguments = ReadonlyMap<
  string,
  { readonly argument: Argument; readonly value: Stored | null }
>;

export function argumentNames(given: GivenArguments): string[] {
  return given.from === 'query' ? [...given.values.keys()] : Object.keys(given.values);
}

/** Throws 22P02 for a value that is not of its argument's type. */
export function bindArguments({ args }: CatalogFunction, given: GivenArguments): BoundArguments {
  return new Map(args.map((argument) => [argument.name, { argument, value: valueOf(argument, given) }]));
}

function valueOf({ name, type, default: fallback }: Argument, given: GivenArguments): Stored | null {
  if ('row' in type) return null;
  if (given.from === 'query') {
    const text = given.values.get(name);
    return text === undefined ? (fallback ?? null) : type.parse(text);
  }
  return Object.hasOwn(given.values, name) ? type.fromJson(given.values[name]) : (fallback ?? null);
}

/** As literals of the query language, for a function declared as a query. */
export function asLiterals(bound: BoundArguments): Map<string, string | null> {
  return convert(bound, (type, value) => type.toText(value));
}

/** As JSON values, for a function of a module. */
export function asJson(bound: BoundArguments): Record<string, unknown> {
  return Object.fromEntries(convert(bound, (type, value) => JSON.parse(type.toJson(value)) as unknown));
}

type Scalar = Exclude<Argument['type'], { readonly row: unknown }>;

function convert<T>(bound: BoundArguments, print: (type: Scalar, value: Stored) => T): Map<string, T | null> {
  return new Map(
    [...bound].map(([name, { argument, value }]) => [
      name,
      value === null || 'row' in argument.type ? null : print(argument.type, value),
    ]),
  );
}
