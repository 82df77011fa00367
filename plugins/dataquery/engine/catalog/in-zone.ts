/** A catalog for a session in another time zone: the types of its columns, arguments and results use that zone. */
import type { TimeZone } from '../values/time-zone.js';
import { inZone, type ValueType } from '../values/type.js';
import type { Argument, Catalog, CatalogFunction, Column, Relation, Returns, Schema } from './model.js';

/** The catalog's own values, such as defaults, keep their meaning. */
export function catalogIn(catalog: Catalog, timeZone: TimeZone): Catalog {
  const schemas = mapValues(catalog.schemas, (schema): Schema => ({
    ...schema,
    relations: mapValues(schema.relations, (relation) => relationIn(relation, timeZone)),
    functions: mapValues(schema.functions, (overloads) => overloads.map((one) => functionIn(one, timeZone))),
  }));
  return { ...catalog, timeZone, schemas };
}

function relationIn(relation: Relation, zone: TimeZone): Relation {
  const columns = mapValues(relation.columns, (column): Column => {
    const type = inZone(column.type, zone);
    return type === column.type ? column : { ...column, type };
  });
  return { ...relation, columns };
}

function functionIn(called: CatalogFunction, zone: TimeZone): CatalogFunction {
  const args = called.args.map((argument): Argument => ({ ...argument, type: typeIn(argument.type, zone) }));
  const { returns } = called;
  const answers: Returns =
    returns.kind === 'scalar' ? { ...returns, type: inZone(returns.type, zone) } : returns;
  return { ...called, args, returns: answers };
}

function typeIn(type: Argument['type'], zone: TimeZone): Argument['type'] {
  return isRow(type) ? type : inZone(type, zone);
}

function isRow(type: Argument['type']): type is Exclude<Argument['type'], ValueType> {
  return 'row' in type;
}

function mapValues<V>(map: ReadonlyMap<string, V>, change: (value: V) => V): Map<string, V> {
  return new Map([...map].map(([name, value]) => [name, change(value)]));
}
