/** Decides how a plan's rows are found, and reads the samples that deciding needs. */
import { decide, type Reading } from '../access/decide.js';
import type { Decision } from '../access/access.js';
import { FEW, type Sample, type Wanted } from '../access/statistics.js';
import type { Level } from '../../plan/level.js';
import type { ReadContext } from '../context.js';

export async function decided(context: ReadContext, reading: Reading): Promise<Decision> {
  const samples = new Map<Level['conditions'], Sample>();
  for (;;) {
    const decision = decide(context.cache.catalog, reading, samples);
    if (decision.kind === 'decided') return decision;
    const { wanted } = decision;
    const read = await Promise.all(wanted.map((one) => sampleOf(context, one)));
    for (const [at, { level }] of wanted.entries()) samples.set(level.conditions, read[at]);
  }
}

async function sampleOf(context: ReadContext, { level, filter, members }: Wanted): Promise<Sample> {
  return fewOf(context, level, filter, [...members]);
}

/** The rows that pass, with these members, if they are few. */
export async function fewOf(
  context: ReadContext,
  { source }: Pick<Level, 'source'>,
  filter: Wanted['filter'],
  members: readonly string[],
): Promise<Sample> {
  const withoutId = members.includes('_id') ? {} : { _id: 0 as const };
  const projection = { ...Object.fromEntries(members.map((member) => [member, 1 as const])), ...withoutId };
  const rows = context.collection(source.stored);
  const some = await rows.find(filter, { limit: FEW + 1, projection, shared: true }).toArray();
  return some.length > FEW ? undefined : some;
}
