/** What is deleted with an account of the server's directory, in the same transaction. */
import type { Transaction } from 'plugboard/sdk';
import type { Directory } from '../directory/directory.js';
import type { DirectoryVersion } from '../directory/version.js';

export async function forgetAccount(
  { directory, version }: { readonly directory: Directory; readonly version: DirectoryVersion },
  id: number,
  tx: Transaction,
): Promise<void> {
  const ties = directory.ties.with(tx);
  await ties.deleteMany({ user: id });
  await ties.deleteMany({ target: id, kind: { $in: ['member', 'follow'] } });
  await directory.activity.with(tx).deleteOne({ _id: String(id) });
  await version.raise(tx);
}
