/** Removes expired records, and notes where each chain then begins. */
import type { Clock } from 'plugboard/sdk';
import type { Chain } from './chain.js';

const DAY = 86_400_000;
/** Records per step. */
const STEP = 1_000;

export async function removeOld({ records, heads }: Chain, keepDays: number, clock: Clock): Promise<number> {
  const until = new Date(clock.now() - keepDays * DAY);
  let removed = 0;
  for (;;) {
    const old = await records.find({ at: { $lt: until } }, { sort: { _id: 1 }, limit: STEP }).toArray();
    if (old.length === 0) return removed;
    const last = new Map(old.map(({ chain, seq, hash }) => [chain, { seq, hash }]));
    // The note first: a record that still exists though it may be gone is not a gap.
    for (const [_id, mark] of last) await heads.updateOne({ _id }, { $set: { removed: mark } });
    await records.deleteMany({ _id: { $in: old.map(({ _id }) => _id) } });
    removed += old.length;
  }
}
