/** The terms of `order`: columns of the level, or of to-one embeds. */
import type { ServiceError } from 'plugboard/sdk';
import { errors } from '../base/errors.js';
import type { OrderTerm } from '../query/query.js';
import { valueOf } from './columns.js';
import { embedNamed, type Names } from './conditions.js';
import type { Embed, Ordering, Source } from './level.js';
import { notEmbedded } from './not-embedded.js';
import { columnValue, INSERTION } from './value.js';

function orderOf(names: Names, term: OrderTerm): Ordering {
  const through: Embed[] = [];
  let place: Pick<Names, 'relation' | 'source' | 'embeds'> = names;
  for (const name of term.relations) {
    const embed = embedNamed(place.embeds, name);
    if (embed === undefined) throw notEmbedded(name);
    if (!embed.toOne) throw notToOne(place.relation.name, embed);
    through.push(embed);
    place = embed.level;
  }
  const value = valueOf(names.cache, place.relation, place.source, term.field);
  if (value.type.name === 'json') {
    throw errors['42883']({ message: 'could not identify an ordering operator for type json' });
  }
  const nullsFirst = term.nulls === undefined ? term.descending : term.nulls === 'first';
  return { through, value, descending: term.descending, nullsFirst };
}

/** Each comparison of two rows may use all of them. */
const MOST_ORDERS = 100;

/** Without terms that decide nothing, as an earlier one has the same value. Throws SVC129. */
export function ordersOf(names: Names, terms: readonly OrderTerm[]): readonly Ordering[] {
  const first = new Map<string, OrderTerm>();
  for (const term of terms) {
    const key = JSON.stringify([term.relations, term.field]);
    if (!first.has(key)) first.set(key, term);
  }
  if (first.size > MOST_ORDERS)
    throw errors.SVC129({
      details: `The rows are ordered by ${first.size} values, the limit is ${MOST_ORDERS}.`,
    });
  return [...first.values()].map((term) => orderOf(names, term));
}

/**
 * Makes the order total, so that pages neither repeat nor miss a row: ties are in insertion order, latest first if the
 * last term descends, so that an index gives either. Rows of a stored view are a query's result, and without a key only
 * their columns distinguish them.
 */
export function withTieBreak({ relation, source }: Names, order: readonly Ordering[]): readonly Ordering[] {
  const last = order.at(-1);
  if (last === undefined || order.some(({ through }) => through.length > 0) || isTotal(source, order))
    return order;
  const isStoredView = relation.kind === 'view' && relation.collection !== undefined;
  if (!isStoredView || relation.primaryKey.length > 0) {
    return [...order, { through: [], value: INSERTION, descending: last.descending, nullsFirst: true }];
  }
  const rest = [...source.columns.values()]
    .map((column) => columnValue(column))
    .filter(({ type }) => type.ordered)
    .map((value): Ordering => ({ through: [], value, descending: false, nullsFirst: true }));
  return [...order, ...rest];
}

/** Whether it has all columns of a key, which no two rows share. */
function isTotal({ stored }: Source, order: readonly Ordering[]): boolean {
  if (stored.kind !== 'table') return false;
  const fields = new Set(order.flatMap(({ value }) => (value.plain ? [value.field] : [])));
  const named = (name: string): boolean => fields.has(stored.columns.get(name)?.field ?? '');
  const required = (name: string): boolean => stored.columns.get(name)?.required === true;
  return (
    (stored.primaryKey.length > 0 && stored.primaryKey.every(named)) ||
    stored.unique.some(({ columns }) => columns.every((name) => named(name) && required(name)))
  );
}

function notToOne(origin: string, { name: target }: Embed): ServiceError {
  return errors.SVC118({
    values: { name: target },
    details: `'${origin}' and '${target}' do not form a many-to-one or one-to-one relationship`,
  });
}
