/**
 * Moves accounts that this plugin kept itself to the server's directory. If that has the login under another number, or
 * the number under another login, everything that refers to the account gets the directory's number. An account is
 * removed here last, so this can be killed, and run by two instances at once.
 */
import {
  isStorageError,
  type Collection,
  type Directory,
  type Document,
  type ExternalAccount,
  type Storage,
  type Transaction,
} from 'plugboard/sdk';
import type { ActivityDocument } from '../directory/documents.js';
import { renumber, type References } from './renumber.js';

/**
 * Numbers may have been swapped, so each conflict takes two steps: `out` to an unused number, and, when all are there,
 * `in` to its own.
 */
interface KeptAccountDocument extends Document, ExternalAccount {
  readonly activeAt: Date;
  readonly step?: 'out' | 'in';
  readonly via?: number;
  /** Written by each transaction of a step, so that one of two instances learns that the step is over. */
  readonly touched?: number;
}

export interface MoveParts extends References {
  readonly storage: Storage;
  readonly people: Directory;
  readonly activity: Collection<ActivityDocument>;
}

const BATCH = 500;

export async function moveAccounts(parts: MoveParts, progress: () => void): Promise<void> {
  const kept = parts.storage.collection<KeptAccountDocument>({ name: 'accounts' });
  if ((await kept.findOne({}, { projection: { _id: 1 } })) === null) return;
  for (let after = ''; ; progress()) {
    const batch = await kept
      .find({ _id: { $gt: after }, step: null }, { sort: { _id: 1 }, limit: BATCH })
      .toArray();
    if (batch.length > 0) await again(() => moveBatch(parts, kept, batch));
    after = batch.at(-1)?._id ?? after;
    if (batch.length < BATCH) break;
  }
  for (const step of ['out', 'in'] as const) {
    const accounts = await kept.find({ step }, { sort: { _id: 1 } }).toArray();
    for (const account of accounts) {
      await (step === 'out' ? moveOut(parts, kept, account) : moveIn(parts, kept, account));
      progress();
    }
  }
}

/** Those without a conflict; marks the others for `out`. */
async function moveBatch(
  { storage, people, activity, events }: MoveParts,
  kept: Collection<KeptAccountDocument>,
  batch: readonly KeptAccountDocument[],
): Promise<void> {
  // Drawn before the transaction, which may be retried.
  const found = await people.byLogins(batch.map(({ login }) => login));
  const numbers = await people.byIds(batch.map(({ id }) => id));
  const isFree = ({ id, login }: ExternalAccount): boolean => {
    const holder = found.get(login.toLowerCase());
    return holder === undefined ? !numbers.has(id) : holder.id === id;
  };
  const conflicts = batch.filter((account) => !isFree(account));
  const free = batch.filter(isFree);
  const vias = new Map<string, number>();
  const above = conflicts.length === 0 ? 0 : await largestNumber(kept, events);
  for (const { _id } of conflicts) vias.set(_id, await people.freeId(above));
  await storage.transaction(async (tx) => {
    const stay = await idsIn(kept.with(tx), batch);
    const moving = free.filter(({ _id }) => stay.has(_id));
    await people.with(tx).note(moving.map(toExternal));
    for (const { _id, id, activeAt } of moving) await noteActivity(activity.with(tx), _id, id, activeAt);
    await kept.with(tx).deleteMany({ _id: { $in: moving.map(({ _id }) => _id) } });
    for (const [_id, via] of vias)
      await kept.with(tx).updateOne({ _id, step: null }, { $set: { step: 'out', via } });
  });
}

/** Of accounts that wait to be moved, and of those that only events name. */
async function largestNumber(
  kept: Collection<KeptAccountDocument>,
  events: MoveParts['events'],
): Promise<number> {
  const [account] = await kept.find({}, { sort: { id: -1 }, limit: 1 }).toArray();
  const [event] = await events.find({}, { sort: { actor: -1 }, limit: 1 }).toArray();
  return Math.max(account?.id ?? 0, event?.actor ?? 0);
}

async function moveOut(
  parts: MoveParts,
  kept: Collection<KeptAccountDocument>,
  { _id, id, via = id }: KeptAccountDocument,
): Promise<void> {
  const inStep = (tx: Transaction): Promise<boolean> => touch(kept.with(tx), _id, 'out');
  await again(() => renumber(parts, id, via, inStep));
  await kept.updateOne({ _id, step: 'out' }, { $set: { step: 'in' } });
}

async function moveIn(
  parts: MoveParts,
  kept: Collection<KeptAccountDocument>,
  account: KeptAccountDocument,
): Promise<void> {
  const { _id, via = account.id, activeAt } = account;
  const { storage, people, activity } = parts;
  const inStep = (tx: Transaction): Promise<boolean> => touch(kept.with(tx), _id, 'in');
  const id = (await people.byLogin(account.login))?.id ?? via;
  if (id !== via) await again(() => renumber(parts, via, id, inStep));
  await again(() =>
    storage.transaction(async (tx) => {
      if (!(await inStep(tx))) return;
      await people.with(tx).note([{ ...toExternal(account), id }]);
      await noteActivity(activity.with(tx), String(id), id, activeAt);
      await kept.with(tx).deleteOne({ _id });
    }),
  );
}

/** False if another instance is past this step. */
async function touch(
  kept: Collection<KeptAccountDocument>,
  _id: string,
  step: 'out' | 'in',
): Promise<boolean> {
  const { matched } = await kept.updateOne({ _id, step }, { $inc: { touched: 1 } });
  return matched === 1;
}

async function noteActivity(
  activity: Collection<ActivityDocument>,
  _id: string,
  id: number,
  activeAt: Date,
): Promise<void> {
  await activity.updateOne({ _id }, { $set: { id }, $max: { activeAt } }, { upsert: true });
}

async function idsIn(
  kept: Collection<KeptAccountDocument>,
  batch: readonly KeptAccountDocument[],
): Promise<ReadonlySet<string>> {
  const _id = { $in: batch.map((account) => account._id) };
  const found = await kept.find({ _id }, { projection: { _id: 1 } }).toArray();
  return new Set(found.map((account) => account._id));
}

function toExternal({ id, login, type, imageId, avatarUrl }: ExternalAccount): ExternalAccount {
  return { id, login, type, imageId, avatarUrl };
}

/** Two instances that do the same conflict: the loser finds less to do on its retry. */
async function again(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const meets = isStorageError(error, 'write_conflict') || isStorageError(error, 'duplicate_key');
      if (!meets || attempt === 20) throw error;
    }
  }
}
