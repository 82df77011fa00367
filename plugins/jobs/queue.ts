/** The jobs in storage: every step of a job's life is one atomic update. */
import {
  type Clock,
  type Collection,
  type Filter,
  isStorageError,
  type JobRequest,
  type JobState,
  newId,
  type Storage,
} from 'plugboard/sdk';
import { JOBS_COLLECTION, type JobRecord, type Progress } from './record.js';

/** Longest JSON of an input, a checkpoint or a result, in characters. */
const LONGEST_JSON = 65_536;
/** Attempts of `add` to insert a job or find the existing one, which may end in between. */
const ADD_ATTEMPTS = 5;
const LISTED = 100;

export interface Kind {
  readonly owner: string;
  readonly name: string;
}

/** A claimed job. Every update of a run filters by both, so it fails once another instance has taken the job. */
export type Claim = Pick<JobRecord, '_id' | 'holder'>;

export class JobQueue {
  readonly #jobs: Collection<JobRecord>;
  readonly #clock: Clock;

  constructor(storage: Storage, clock: Clock) {
    this.#jobs = storage.collection<JobRecord>(JOBS_COLLECTION);
    this.#clock = clock;
  }

  /** Adds a job, or returns the waiting or running one with the same name and key. */
  async add({ owner, name }: Kind, request: JobRequest): Promise<JobRecord> {
    const { key = name, input = null, at, every = null, again = false, carried } = request;
    assertJson('the input of a job', input);
    const own = { owner, name, key, input, every, ...(carried && { carried }) };
    const record = newRecord(own, at ?? this.#now(), this.#now());
    const same = { owner, name, key, active: true as const };
    for (let attempt = 1; ; attempt++) {
      const asked = again ? await this.#again(same, every) : null;
      if (asked !== null) return asked;
      try {
        await this.#jobs.insertOne(record);
        return record;
      } catch (error) {
        if (!isStorageError(error, 'duplicate_key') || attempt === ADD_ATTEMPTS) throw error;
        const known = again ? null : await this.#jobs.findOneAndUpdate(same, { $set: { every } });
        if (known !== null) return known;
      }
    }
  }

  /** Makes an existing job run once more; null if there is none, or it changed state meanwhile. */
  async #again(same: Filter<JobRecord>, every: number | null): Promise<JobRecord | null> {
    const change = (state: Filter<JobRecord>, set: Partial<JobRecord>): Promise<JobRecord | null> =>
      this.#jobs.findOneAndUpdate({ ...same, ...state }, { $set: { every, ...set } });
    return (
      (await change({ state: 'running' }, { again: true })) ??
      (await change({ state: 'waiting', error: null }, { at: this.#now() })) ??
      change({ state: 'waiting' }, {})
    );
  }

  get(id: string, owner?: string): Promise<JobRecord | null> {
    return this.#jobs.findOne(owner === undefined ? { _id: id } : { _id: id, owner });
  }

  list(filter: { owner?: string; name?: string; state?: JobState }): Promise<JobRecord[]> {
    return this.#jobs
      .find(filter as Filter<JobRecord>, { sort: { createdAt: -1, _id: 1 }, limit: LISTED })
      .toArray();
  }

  /** Ends a waiting job, marks a running one as cancelled; null if there is none or it has ended. */
  async cancel(id: string, owner?: string): Promise<JobRecord | null> {
    const mine = owner === undefined ? { _id: id } : { _id: id, owner };
    const waiting = await this.#jobs.findOneAndUpdate({ ...mine, state: 'waiting' }, this.#end('cancelled'));
    if (waiting !== null) return waiting;
    return this.#jobs.findOneAndUpdate({ ...mine, state: 'running' }, { $set: { cancelled: true } });
  }

  /** The given kinds with a due job. */
  async due(kinds: readonly Kind[]): Promise<Kind[]> {
    if (kinds.length === 0) return [];
    const filter = { state: 'waiting' as const, at: { $lte: this.#now() }, $or: kinds.map(ofKind) };
    const jobs = await this.#jobs
      .find(filter, { sort: { at: 1 }, limit: LISTED, projection: { owner: 1, name: 1 } })
      .toArray();
    return kinds.filter(({ owner, name }) => jobs.some((job) => job.owner === owner && job.name === name));
  }

  /** Claims the job of this kind that has been due longest; null if another instance was faster. */
  claim(kind: Kind, holder: string): Promise<JobRecord | null> {
    const now = this.#now();
    return this.#jobs.findOneAndUpdate(
      { state: 'waiting', at: { $lte: now }, ...ofKind(kind) },
      {
        $set: { state: 'running', holder, at: null, startedAt: now, endedAt: null, again: false },
        $inc: { attempt: 1, beat: 1 },
      },
      { sort: { at: 1 } },
    );
  }

  /** Renews the holder's lease; null if it has lost the job. */
  beat(claim: Claim, progress: Progress): Promise<JobRecord | null> {
    return this.#jobs.findOneAndUpdate(held(claim), { $set: progress, $inc: { beat: 1 } });
  }

  /** Saving a checkpoint resets the attempts, as the job made progress. False if the holder has lost the job. */
  async save(claim: Claim, checkpoint: unknown, progress: Progress): Promise<boolean> {
    assertJson('a checkpoint', checkpoint);
    const update = { $set: { checkpoint, attempt: 1, ...progress }, $inc: { beat: 1 } };
    return (await this.#jobs.updateOne(held(claim), update)).matched === 1;
  }

  async succeed(job: JobRecord, result: unknown, progress: Progress): Promise<void> {
    assertJson('the result of a job', result);
    const set = { result, error: null, checkpoint: null, ...progress };
    if (await this.#finish({ ...held(job), again: { $ne: true } }, job.every, 'done', set)) return;
    // It was requested again while it ran, or another instance has taken it.
    await this.#jobs.updateOne({ ...held(job), again: true }, this.#nextRound(0, set));
  }

  /** Ends a job after its last attempt, or this round of a repeating one. */
  async fail(job: JobRecord, error: string): Promise<void> {
    await this.#finish(held(job), job.every, 'failed', { error });
  }

  async cancelled(job: JobRecord): Promise<void> {
    await this.#jobs.updateOne(held(job), this.#end('cancelled'));
  }

  /** Schedules another attempt after `delay` ms. */
  async retry(job: JobRecord, error: string, delay: number): Promise<void> {
    const set = { ...WAITING, at: new Date(this.#clock.now() + delay), error };
    await this.#jobs.updateOne(held(job), { $set: set });
  }

  /** Returns an unfinished job to the queue; the attempt does not count. */
  async handBack(job: JobRecord): Promise<void> {
    await this.#jobs.updateOne(held(job), { $set: { ...WAITING, at: this.#now() }, $inc: { attempt: -1 } });
  }

  running(): Promise<JobRecord[]> {
    return this.#jobs.find({ state: 'running' }).toArray();
  }

  /**
   * Takes a job from a holder whose `beat` has stopped; the attempt counts, and with `exhausted` it was the last one.
   * False if the holder beat meanwhile.
   */
  async takeFrom(job: JobRecord, exhausted: boolean): Promise<boolean> {
    const { _id, holder, beat, cancelled, every } = job;
    const error = 'the process that ran it died';
    const again = { $set: { ...WAITING, at: this.#now(), error } };
    const over = every === null ? this.#end('failed', { error }) : this.#nextRound(every, { error });
    const update = cancelled ? this.#end('cancelled') : exhausted ? over : again;
    return (await this.#jobs.updateOne({ _id, holder, beat, state: 'running' }, update)).matched === 1;
  }

  async #finish(
    job: Filter<JobRecord>,
    every: number | null,
    state: 'done' | 'failed',
    set: Partial<JobRecord>,
  ): Promise<boolean> {
    const update = every === null ? this.#end(state, set) : this.#nextRound(every, set);
    return (await this.#jobs.updateOne(job, update)).matched === 1;
  }

  #end(state: 'done' | 'failed' | 'cancelled', set: Partial<JobRecord> = {}) {
    return {
      $set: { state, at: null, holder: null, endedAt: this.#now(), ...set },
      $unset: { active: true as const },
    };
  }

  #nextRound(every: number, set: Partial<JobRecord>) {
    const at = new Date(this.#clock.now() + every);
    return { $set: { ...WAITING, at, checkpoint: null, attempt: 0, ...set } };
  }

  #now(): Date {
    return new Date(this.#clock.now());
  }
}

const WAITING = { state: 'waiting', holder: null } as const;

function held({ _id, holder }: Claim): Filter<JobRecord> {
  return { _id, holder, state: 'running' };
}

function ofKind({ owner, name }: Kind): { owner: string; name: string } {
  return { owner, name };
}

function newRecord(
  own: Pick<JobRecord, 'owner' | 'name' | 'key' | 'input' | 'every' | 'carried'>,
  at: Date,
  createdAt: Date,
): JobRecord {
  return {
    ...own,
    _id: newId(),
    state: 'waiting',
    active: true,
    checkpoint: null,
    result: null,
    error: null,
    attempt: 0,
    at,
    holder: null,
    beat: 0,
    cancelled: false,
    again: false,
    done: 0,
    total: null,
    createdAt,
    startedAt: null,
    endedAt: null,
  };
}

function assertJson(what: string, value: unknown): void {
  const length = JSON.stringify(value)?.length ?? 0;
  if (length > LONGEST_JSON)
    throw new RangeError(`${what} is ${length} characters of JSON; at most ${LONGEST_JSON} are stored`);
}
