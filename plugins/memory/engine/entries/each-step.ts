/** Walks all entries in small steps: a change to all of them blocks nothing and resumes after a crash. */
import { pagesById, type Collection, type JobRun } from 'plugboard/sdk';
import type { EntryDocument } from './document.js';

/** Entries per step. */
const STEP = 100;

/** Progress of a walk. */
export interface Walked {
  readonly after: string;
  readonly done: number;
}

/**
 * `change` returns how many of the step's entries it changed; the walk returns the total, including those before a
 * crash.
 */
export async function eachStep(
  documents: Collection<EntryDocument>,
  {
    checkpoint,
    signal,
    progress,
    save,
  }: Pick<JobRun<undefined, Walked>, 'checkpoint' | 'signal' | 'progress' | 'save'>,
  change: (ids: readonly string[]) => Promise<number>,
): Promise<number> {
  // Archived entries are few, and an index finds them.
  const archived = await documents.countDocuments({ archived: true, archivedAt: { $gt: new Date(0) } });
  const total = (await documents.countDocuments({})) - archived;
  let { after, done } = checkpoint ?? { after: '', done: 0 };
  for await (const page of pagesById(documents, { after, size: STEP, projection: { _id: 1 } })) {
    signal.throwIfAborted();
    done += await change(page.map(({ _id }) => _id));
    after = page.at(-1)!._id;
    progress(done, total);
    await save({ after, done });
  }
  return done;
}
