/** Walks through all entries a few at a time: a change of them all holds nothing up, and goes on after a crash. */
import { pagesById, type Collection, type JobRun } from 'plugboard/sdk';
import type { EntryDocument } from './document.js';

/** Entries of a step. */
const STEP = 100;

/** How far a walk is. */
export interface Walked {
  readonly after: string;
  readonly done: number;
}

/** `change` answers how many of these it changed; the walk answers how many in all, those before a crash too. */
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
  // Those that are archived are few, and found by an index.
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
