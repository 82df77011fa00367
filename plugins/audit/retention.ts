/** Removes records after their time, and notes where each chain then begins. */
import type { Clock } from 'plugboard/sdk';
import type { Chain } from './chain.js';

const DAY = 86_400_000;
/** Records in one step. */
const STEP = 1_000;

export async function removeOld({ records, heads }: Chain, keepDays: number, clock: Clock): Promise<number> {
  const until = new Date(clock.now() - keepDays * DAY);
  let removed = 0;
  for (;;) {
    const old = await records.find({ at: { $lt: until } }, { sort: { _id: 1 }, limit: STEP }).toArray();
    if (old.length === 0) return removed;
    const last = new Map(old.map(({ chain, seq, hash }) => [chain, { seq, hash }]));
    // First the note: a record that is there although it may be gone is no gap.
    for (const [_id, mark] of last) await heads.updateOne({ _id }, { $set: { removed: mark } });
    await records.deleteMany({ _id: { $in: old.map(({ _id }) => _id) } });
    removed += old.length;
  }
}
