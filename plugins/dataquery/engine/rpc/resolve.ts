/** Which function a call means: by name and by the names of its arguments. */
import type { ServiceError } from 'plugboard/sdk';
import type { Catalog, CatalogFunction } from '../catalog/model.js';
import { errors } from '../base/errors.js';
import { mostSimilar } from '../base/similar.js';

/** Throws SVC202 without a candidate and SVC203 with several. `posted`: the arguments came as a JSON object. */
export function resolveFunction(
  catalog: Catalog,
  schema: string,
  name: string,
  given: readonly string[],
  posted: boolean,
): CatalogFunction {
  const overloads = catalog.schemas.get(schema)?.functions.get(name) ?? [];
  const candidates = overloads.filter((called) => takes(called, given));
  if (candidates.length === 0) throw noFunction(catalog, schema, name, given, overloads, posted);
  if (candidates.length > 1) throw severalFunctions(candidates);
  return candidates[0]!;
}

/** Every given argument is known, and every required one given. A client cannot give a row. */
function takes({ args }: CatalogFunction, given: readonly string[]): boolean {
  return (
    given.every((name) => args.some((argument) => argument.name === name)) &&
    args.every(
      (argument) => !('row' in argument.type) && (argument.optional || given.includes(argument.name)),
    )
  );
}

function noFunction(
  catalog: Catalog,
  schema: string,
  name: string,
  given: readonly string[],
  overloads: readonly CatalogFunction[],
  posted: boolean,
): ServiceError {
  const full = `${schema}.${name}`;
  const names = given.join(', ');
  const searched =
    given.length === 0 ? 'without parameters' : `with parameter${given.length > 1 ? 's' : ''} ${names}`;
  const unnamed = posted ? ' or with a single unnamed json/jsonb parameter' : '';
  return errors.SVC202({
    values: { function: given.length === 0 ? `${full} without parameters` : `${full}(${names})` },
    details: `Searched for the function ${full} ${searched}${unnamed}, but no matches were found in the schema cache.`,
    hint: suggestion(catalog, schema, name, given, overloads),
  });
}

/** A function with a similar name, or with this name and similar arguments. */
function suggestion(
  catalog: Catalog,
  schema: string,
  name: string,
  given: readonly string[],
  overloads: readonly CatalogFunction[],
): string | null {
  const asText = (names: readonly string[]): string => `(${[...names].sort().join(', ')})`;
  const meant =
    overloads.length === 0
      ? mostSimilar(catalog.schemas.get(schema)?.functions.keys() ?? [], name)
      : mostSimilar(
          overloads.map(({ args }) => asText(args.map((argument) => argument.name))),
          asText(given),
        );
  if (meant === undefined) return null;
  return `Perhaps you meant to call the function ${schema}.${overloads.length === 0 ? '' : name}${meant}`;
}

function severalFunctions(candidates: readonly CatalogFunction[]): ServiceError {
  const signatures = candidates.map(({ schema, name, args }) => {
    const list = args.map(
      (argument) =>
        `${argument.name} => ${'row' in argument.type ? argument.type.row.relation : argument.type.name}`,
    );
    return `${schema}.${name}(${list.join(', ')})`;
  });
  return errors.SVC203({
    values: { candidates: signatures.join(', ') },
    hint: 'Try renaming the parameters or the function itself in the database so function overloading can be resolved',
  });
}
