/** Rows ordered by columns of related rows: fetches those for all of them, and sorts the rows here. */
import { firstPaced, mapPaced, sortPaced, type Budget } from '../../base/budget.js';
import type { Embed, Level, Ordering } from '../../plan/level.js';
import type { Value } from '../../plan/value.js';
import type { Stored, StoredRow } from '../../values/stored.js';
import { compareValues, someLong } from '../sort.js';

/** Looks up the row of a to-one embed for many rows at once. */
export type FollowEmbed = (
  level: Level,
  embed: Embed,
  rows: readonly StoredRow[],
) => Promise<(row: StoredRow) => StoredRow | undefined>;

interface Place {
  readonly row: StoredRow;
  readonly at: number;
}

/** All of them, or the first `most`. Equal rows keep their order. */
export async function orderRows(
  budget: Budget,
  level: Level,
  rows: readonly StoredRow[],
  follow: FollowEmbed,
  most?: number,
): Promise<StoredRow[]> {
  const columns = await Promise.all(
    level.order.map((ordering) => valuesOf(budget, level, ordering, rows, follow)),
  );
  const places = rows.map((row, at): Place => ({ row, at }));
  const compare = (a: Place, b: Place): number => {
    for (let column = 0; column < columns.length; column += 1) {
      const values = columns[column]!;
      const result = compareValues(level.order[column]!, values[a.at]!, values[b.at]!);
      if (result !== 0) return result;
    }
    return 0;
  };
  let isLong = false;
  for (const values of columns) isLong ||= await someLong(budget, values);
  const sorted =
    most === undefined
      ? await sortPaced(budget, places, compare, isLong)
      : await firstPaced(budget, places, compare, isLong, most);
  return sorted.map(({ row }) => row);
}

/** The value to order by, for each row. */
async function valuesOf(
  budget: Budget,
  level: Level,
  { through, value }: Ordering,
  rows: readonly StoredRow[],
  follow: FollowEmbed,
): Promise<(Stored | null)[]> {
  let places: (StoredRow | undefined)[] = [...rows];
  let at = level;
  for (const [depth, embed] of through.entries()) {
    const present = [...new Set(places.filter((place) => place !== undefined))];
    const orderedBy = through[depth + 1] === undefined ? [value] : [];
    const related = await follow(at, { ...embed, level: printing(embed.level, orderedBy) }, present);
    places = places.map((place) => (place === undefined ? undefined : related(place)));
    at = embed.level;
  }
  return mapPaced(budget, places, (place) => (place === undefined ? null : value.read(place)));
}

/** The level with only the output that the order needs. */
function printing(level: Level, values: readonly Value[]): Level {
  return { ...level, output: values.map((value) => ({ kind: 'value', key: value.field, value })) };
}
