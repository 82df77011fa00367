/** A job as it is stored, and as its owner and the operator see it. */
import type { Carried, CollectionSpec, Document, Filter, Job, JobState } from 'plugboard/sdk';

export interface JobRecord extends Document {
  readonly owner: string;
  readonly name: string;
  readonly key: string;
  readonly state: JobState;
  /** Present while the job waits or runs: the unique index over name and key has only those. */
  readonly active?: true;
  readonly input: unknown;
  readonly checkpoint: unknown;
  readonly result: unknown;
  readonly error: string | null;
  readonly attempt: number;
  /** Milliseconds between two runs of a job that repeats. */
  readonly every: number | null;
  readonly at: Date | null;
  /** The instance that runs it. It increments `beat` while it lives, and the others watch that. */
  readonly holder: string | null;
  readonly beat: number;
  readonly cancelled: boolean;
  /** Requested while it runs: runs once more afterwards. */
  readonly again?: boolean;
  /** The context of the work that requested it. */
  readonly carried?: Carried;
  readonly done: number;
  readonly total: number | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
}

export type Progress = Pick<JobRecord, 'done' | 'total'>;

/** How long an ended job is kept. */
const KEPT_SECONDS = 7 * 86_400;

export const JOBS_COLLECTION: CollectionSpec = {
  name: 'jobs',
  indexes: [
    { keys: { owner: 1, name: 1, key: 1 }, unique: true, partial: { active: true } as Filter },
    { keys: { state: 1, at: 1 } },
    { keys: { owner: 1, createdAt: -1 } },
    { keys: { createdAt: -1 } },
    { keys: { endedAt: 1 }, expireAfterSeconds: KEPT_SECONDS },
  ],
};

export function toJob(record: JobRecord): Job {
  const { _id, owner, name, key, state, attempt, done, total, result, error, at } = record;
  const { createdAt, startedAt, endedAt } = record;
  const times = { at, createdAt, startedAt, endedAt };
  return { id: _id, owner, name, key, state, attempt, done, total, result, error, ...times };
}
