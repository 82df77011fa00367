/** The objects of groups, in the order of the request. */
import type { Level } from '../../plan/level.js';
import type { GroupCells } from '../aggregate.js';
import { objectsOf, type RenderOptions } from '../cell-text.js';
import type { ReadContext } from '../context.js';
import { orderRows, type FollowEmbed } from './order.js';

export async function orderedObjects(
  { budget }: ReadContext,
  level: Level,
  groups: readonly GroupCells[],
  options: RenderOptions,
  follow: FollowEmbed,
): Promise<string[]> {
  if (level.order.length === 0 || groups.length < 2)
    return objectsOf(
      level,
      groups.map(({ cells }) => cells),
      options,
    );
  const cells = new Map(groups.map((group) => [group.sample, group.cells]));
  const samples = await orderRows(budget, level, [...cells.keys()], follow);
  return objectsOf(
    level,
    samples.map((sample) => cells.get(sample)!),
    options,
  );
}
