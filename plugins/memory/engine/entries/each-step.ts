/** Walks through all entries a few at a time: a change of them all holds nothing up, and goes on after a crash. */
import { nextTurn, type Collection, type JobRun } from 'plugboard/sdk';
import type { EntryDocument } from './document.js';

const AT_ONCE = 250;

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
  const total = await documents.countDocuments({ archived: false });
  let { after, done } = checkpoint ?? { after: '', done: 0 };
  for (;;) {
    signal.throwIfAborted();
    const found = await documents
      .find({ _id: { $gt: after } }, { sort: { _id: 1 }, limit: AT_ONCE, projection: { _id: 1 } })
      .toArray();
    const last = found.at(-1);
    if (last === undefined) return done;
    done += await change(found.map(({ _id }) => _id));
    after = last._id;
    progress(done, total);
    await save({ after, done });
    // Whatever is asked meanwhile comes first.
    await nextTurn();
  }
}
