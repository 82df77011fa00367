/**
 * Withdraws the public events of a repository that turned private. From the change on no feed shows them to callers who
 * may not read it; this job also removes them from the public ranges, so that no page has to skip them.
 */
import type { Collection, JobRun, Jobs, Storage } from 'plugboard/sdk';
import type { Directory } from '../directory/directory.js';
import type { DirectoryVersion } from '../directory/version.js';
import type { EventDocument } from '../store/documents.js';
import { asPrivate } from '../store/text.js';

export const WITHDRAW = 'withdraw';
const BATCH = 200;

export interface WithdrawParts {
  readonly storage: Storage;
  readonly directory: Directory;
  readonly events: Collection<EventDocument>;
  readonly version: DirectoryVersion;
}

export function withdrawLater(jobs: Jobs, repositories: readonly number[]): Promise<unknown> {
  return Promise.all(
    repositories.map((repository) => jobs.add(WITHDRAW, { key: String(repository), input: { repository } })),
  );
}

export async function withdraw(parts: WithdrawParts, run: JobRun<{ repository: number }>): Promise<number> {
  for (let done = 0; ; run.progress(done)) {
    run.signal.throwIfAborted();
    const changed = await withdrawSome(parts, run.input.repository);
    done += changed;
    if (changed < BATCH) return done;
  }
}

function withdrawSome(
  { storage, directory, events, version }: WithdrawParts,
  repository: number,
): Promise<number> {
  return storage.transaction(async (tx) => {
    const known = await directory.repositories.with(tx).findOne({ _id: String(repository) });
    // Public again: the rest stays as it is.
    if (known?.private !== true) return 0;
    const found = await events.with(tx).find({ repo: repository, public: true }, { limit: BATCH }).toArray();
    if (found.length === 0) return 0;
    await events.with(tx).bulkWrite(
      found.map(({ _id, text }) => ({
        updateOne: { filter: { _id }, update: { $set: { public: false, text: asPrivate(text) } } },
      })),
    );
    await version.raise(tx);
    return found.length;
  });
}
