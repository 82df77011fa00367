/** Moves users stored before there was a directory into it; their credentials stay here. */
import type { Access, Collection, Directory, Document, Storage, Account } from 'plugboard/sdk';
import type { CredentialsDocument } from './documents.js';

interface WholeUserDocument extends Document, Omit<Account, 'avatarUrl' | 'external'> {
  readonly loginKey: string;
  readonly password: string | null;
  readonly otp: CredentialsDocument['otp'];
  readonly access?: Access | null;
}

interface CounterDocument extends Document {
  readonly value: number;
}

const BATCH = 100;

/** A user is removed here last, so this may be killed, and run by two instances at once. */
export async function moveUsers(
  storage: Storage,
  directory: Directory,
  credentials: Collection<CredentialsDocument>,
  progress: () => void,
): Promise<void> {
  const whole = storage.collection<WholeUserDocument>({ name: 'users' });
  for (let moved = BATCH; moved === BATCH; progress()) {
    const users = await whole.find({}, { limit: BATCH }).toArray();
    for (const { _id, loginKey: _, password, otp = null, access = null, ...profile } of users) {
      await credentials.updateOne({ _id }, { $setOnInsert: { password, otp, access } }, { upsert: true });
      await enter(directory, profile);
      await whole.deleteOne({ _id });
    }
    moved = users.length;
  }
  await keepCounting(storage, directory);
}

async function enter(directory: Directory, profile: Omit<Account, 'avatarUrl' | 'external'>): Promise<void> {
  const isThere = async (): Promise<boolean> => (await directory.byId(profile.id))?.external === false;
  if (await isThere()) return;
  try {
    await directory.create(profile);
  } catch (error) {
    // Another instance was faster.
    if (!(await isThere())) throw error;
  }
}

/** Numbers of deleted users are not reused. */
async function keepCounting(storage: Storage, directory: Directory): Promise<void> {
  const counters = storage.collection<CounterDocument>({ name: 'counters' });
  const { value: last = 0 } = (await counters.findOne({ _id: 'users' })) ?? {};
  if (last > 0) await directory.freeId(last);
  await counters.deleteOne({ _id: 'users' });
}
