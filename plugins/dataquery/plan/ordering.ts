/** The terms of `order`: columns of the level, or of to-one embeds. */
import type { ServiceError } from 'plugboard/sdk';
import { errors } from '../errors.js';
import type { OrderTerm } from '../query/query.js';
import { valueOf } from './columns.js';
import { embedNamed, type Names } from './conditions.js';
import type { Embed, Ordering } from './level.js';
import { notEmbedded } from './not-embedded.js';
import { columnValue } from './value.js';

export function orderOf(names: Names, term: OrderTerm): Ordering {
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

/**
 * Rows that an order leaves equal come as they were inserted. Those of a stored view are the result of a query, and
 * without a key nothing tells them apart but their columns.
 */
export function withTieBreak({ relation, source }: Names, order: readonly Ordering[]): readonly Ordering[] {
  const isStoredView = relation.kind === 'view' && relation.collection !== undefined;
  if (order.length === 0 || !isStoredView || relation.primaryKey.length > 0) return order;
  const rest = [...source.columns.values()]
    .map((column) => columnValue(column))
    .filter(({ type }) => type.ordered)
    .map((value): Ordering => ({ through: [], value, descending: false, nullsFirst: true }));
  return [...order, ...rest];
}

function notToOne(origin: string, { target }: Embed): ServiceError {
  return errors.SVC118({
    values: { name: target },
    details: `'${origin}' and '${target}' do not form a many-to-one or one-to-one relationship`,
  });
}
