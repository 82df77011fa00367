/** Changes everything that refers to one account to another number. */
import type { Collection, Storage, Transaction } from 'plugboard/sdk';
import { tieId, type RepositoryDocument, type TieDocument } from '../directory/documents.js';
import type { DirectoryVersion } from '../directory/version.js';
import type { EventDocument } from '../store/documents.js';
import { withNumber } from '../store/text.js';

export interface References {
  readonly storage: Storage;
  readonly repositories: Collection<RepositoryDocument>;
  readonly ties: Collection<TieDocument>;
  readonly events: Collection<EventDocument>;
  readonly version: DirectoryVersion;
}

/** Documents in one transaction. */
const BATCH = 200;

/** `isDue` is checked in each transaction; false ends it. */
export async function renumber(
  { storage, repositories, ties, events, version }: References,
  from: number,
  to: number,
  isDue: (tx: Transaction) => Promise<boolean>,
): Promise<void> {
  for (let left = true; left;) {
    left = await storage.transaction(async (tx) => {
      if (!(await isDue(tx))) return false;
      await repositories.with(tx).updateMany({ owner: from }, { $set: { owner: to } });
      const changed =
        (await renumberTies(ties.with(tx), from, to)) + (await renumberEvents(events.with(tx), from, to));
      await version.raise(tx);
      return changed > 0;
    });
  }
}

async function renumberTies(ties: Collection<TieDocument>, from: number, to: number): Promise<number> {
  const ofUser = await ties.find({ user: from }, { limit: BATCH }).toArray();
  const ofTarget = await ties
    .find({ target: from, kind: { $in: ['member', 'follow'] } }, { limit: BATCH })
    .toArray();
  const found = new Map([...ofUser, ...ofTarget].map((tie) => [tie._id, tie]));
  for (const { _id, kind, user, target } of found.values()) {
    const isOfAccount = kind === 'member' || kind === 'follow';
    const tie = {
      kind,
      user: user === from ? to : user,
      target: isOfAccount && target === from ? to : target,
    };
    await ties.deleteOne({ _id });
    await ties.updateOne({ _id: tieId(tie) }, { $setOnInsert: tie }, { upsert: true });
  }
  return found.size;
}

async function renumberEvents(events: Collection<EventDocument>, from: number, to: number): Promise<number> {
  let changed = 0;
  for (const member of ['actor', 'org'] as const) {
    const found = await events.find({ [member]: from } as never, { limit: BATCH }).toArray();
    for (const { _id, text } of found) {
      const fields = { [member]: to, text: withNumber(text, member, to) };
      await events.updateOne({ _id }, { $set: fields as never });
    }
    changed += found.length;
  }
  return changed;
}
