/** The JSON members of a level: plain values first, then embeds and spreads in the order of `select`. */
import { errors } from '../base/errors.js';
import type { ColumnItem, CountItem, SelectItem } from '../query/query.js';
import type { ValueType } from '../values/type.js';
import { bigint, doublePrecision, numeric } from '../values/types.js';
import { assertRead, valueOf } from './columns.js';
import type { Names } from './conditions.js';
import type { AggregateOutput, Embed, Output } from './level.js';
import { castTo, castType, columnValue, type Value } from './value.js';

export function outputOf(names: Names, aggregates: boolean, select: readonly SelectItem[]): Output[] {
  const plain: Output[] = [];
  const related: Output[] = [];
  let embeds = 0;
  for (const item of select) {
    if (item.kind === 'embed') related.push(...embedOutput(names.embeds[embeds++]!));
    else if (item.kind === 'star') plain.push(...everyColumn(names));
    else plain.push(itemOutput(names, aggregates, item));
  }
  return [...plain, ...related];
}

/** The keys of a level's object, including spread keys. */
export function outputKeys(output: readonly Output[]): string[] {
  return output.flatMap((item) => (item.kind === 'spread' ? item.embed.level.keys : [item.key]));
}

/** An embed that selects nothing, or only such embeds, has no key. */
function embedOutput(embed: Embed): Output[] {
  if (embed.level.output.length === 0) return [];
  if (!embed.spread) return [{ kind: 'embed', key: embed.name, embed }];
  if (!embed.toOne && embed.level.grouped) {
    throw errors.SVC127({
      details: 'Aggregates are not implemented for one-to-many or many-to-many spreads.',
    });
  }
  return [{ kind: 'spread', embed }];
}

function everyColumn({ cache, relation, source }: Names): Output[] {
  assertRead(cache, relation, source, relation.columns.keys());
  return [...relation.columns.keys()].flatMap((name) => {
    const column = source.columns.get(name);
    return column === undefined ? [] : [{ kind: 'value' as const, key: name, value: columnValue(column) }];
  });
}

function itemOutput(names: Names, aggregates: boolean, item: ColumnItem | CountItem): Output {
  const { timeZone } = names.cache.catalog;
  const typeOf = (cast: string | undefined): ValueType | undefined =>
    cast === undefined ? undefined : castType(cast, timeZone);
  if (item.kind === 'count') {
    return aggregateOutput(aggregates, 'count', undefined, item.alias, typeOf(item.cast));
  }
  const { alias, field, cast, aggregate, aggregateCast } = item;
  if (isBareCount(names, item)) return aggregateOutput(aggregates, 'count', undefined, alias, typeOf(cast));
  const value = valueOf(names.cache, names.relation, names.source, field);
  const converted = cast === undefined ? value : castTo(value, castType(cast, timeZone));
  if (aggregate !== undefined) {
    return aggregateOutput(aggregates, aggregate, converted, alias, typeOf(aggregateCast));
  }
  return { kind: 'value', key: alias ?? keyOf(field), value: converted };
}

/** `count` alone is an old spelling of `count()`; a column of that name takes precedence. */
function isBareCount({ source, cache, relation }: Names, { field, aggregate }: ColumnItem): boolean {
  const isColumn = source.columns.has('count') || cache.computedColumn(relation, 'count') !== undefined;
  return field.name === 'count' && field.steps.length === 0 && aggregate === undefined && !isColumn;
}

/** The last name in the path into a document; an index has none. */
function keyOf({ name, steps }: ColumnItem['field']): string {
  return (steps.findLast((step) => typeof step.key === 'string')?.key as string | undefined) ?? name;
}

function aggregateOutput(
  allowed: boolean,
  name: AggregateOutput['name'],
  value: Value | undefined,
  alias: string | undefined,
  cast: ValueType | undefined,
): Output {
  if (!allowed) throw errors.SVC123();
  return {
    kind: 'aggregate',
    key: alias ?? name,
    aggregate: { name, value, type: resultType(name, value), cast },
  };
}

/** The type of an aggregate's result (PostgreSQL documentation, 9.21). */
function resultType(name: AggregateOutput['name'], value: Value | undefined): ValueType {
  if (name === 'count' || value === undefined) return bigint;
  const type = value.type.over ?? value.type;
  if (name === 'max' || name === 'min') return type;
  if (type.family === 'float') return name === 'sum' ? type : doublePrecision;
  if (type.family === 'money' && name === 'sum') return type;
  if (type.family === 'numeric' || (type.family === 'integer' && name === 'avg')) return numeric;
  if (type.family === 'integer') return type.name === 'bigint' ? numeric : bigint;
  throw errors['42883']({ message: `function ${name}(${type.name}) does not exist` });
}
