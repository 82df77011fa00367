/** Runs with their answers, stored for their owners. Answers are stored one by one: those of a stopped run stay. */
import {
  newId,
  nextTurn,
  turnIsOver,
  type Clock,
  type Collection,
  type Document,
  type Storage,
} from 'plugboard/sdk';
import { errors } from '../errors.js';
import type { RunAnswer, RunHead, RunWithAnswers } from './schema.js';
import { sumOfCosts, summarize } from './summary.js';

interface RunDocument extends Document {
  readonly owner: string;
  readonly preset: string;
  readonly createdAt: Date;
  /** After this the run is over, even if its server has died. */
  readonly endsBy: Date;
  readonly endedAt: Date | null;
  readonly isWhole: boolean;
  readonly done: number;
  readonly total: number;
  readonly cost: number | null;
  readonly summary: RunHead['summary'];
}

/** `_id`: the run's, a space and `at`. */
interface AnswerDocument extends Document {
  readonly owner: string;
  readonly run: string;
  /** Its index in the run. */
  readonly at: number;
  /** JSON, as names of variables are arbitrary. */
  readonly answer: string;
}

export interface NewRun {
  readonly owner: string;
  readonly preset: string;
  readonly total: number;
  /** Milliseconds that it may take. */
  readonly limit: number;
}

export class Runs {
  readonly #runs: Collection<RunDocument>;
  readonly #answers: Collection<AnswerDocument>;
  readonly #clock: Clock;
  readonly #most: number;

  /** `most`: per owner; the oldest are removed. */
  constructor(storage: Storage, clock: Clock, most: number) {
    this.#runs = storage.collection<RunDocument>({
      name: 'runs',
      indexes: [
        { keys: { owner: 1, createdAt: -1, _id: 1 } },
        { keys: { preset: 1, createdAt: -1, _id: 1 } },
      ],
    });
    this.#answers = storage.collection<AnswerDocument>({
      name: 'run_answers',
      indexes: [{ keys: { run: 1, at: 1 } }, { keys: { owner: 1 } }],
    });
    this.#clock = clock;
    this.#most = most;
  }

  async begin({ owner, preset, total, limit }: NewRun): Promise<string> {
    await this.#forgetOldest(owner);
    const now = this.#clock.now();
    const run: RunDocument = {
      _id: newId(),
      owner,
      preset,
      createdAt: new Date(now),
      endsBy: new Date(now + limit),
      endedAt: null,
      isWhole: false,
      done: 0,
      total,
      cost: 0,
      summary: [],
    };
    await this.#runs.insertOne(run);
    return run._id;
  }

  async add(owner: string, run: string, at: number, answer: RunAnswer): Promise<void> {
    await this.#answers.insertOne({ _id: `${run} ${at}`, owner, run, at, answer: JSON.stringify(answer) });
    await this.#runs.updateOne({ _id: run }, { $inc: { done: 1 } });
  }

  /** Also removes the answers of a run that was deleted meanwhile. */
  async end(run: string): Promise<void> {
    const answers = await this.#answersOf(run);
    const found = await this.#runs.findOne({ _id: run });
    const { matched } = await this.#runs.updateOne(
      { _id: run },
      {
        $set: {
          endedAt: new Date(this.#clock.now()),
          isWhole: answers.length === found?.total,
          cost: sumOfCosts(answers.flatMap(({ cost, judge_cost: judged }) => [cost, judged])),
          summary: summarize(answers),
        },
      },
    );
    if (matched === 0) await this.#answers.deleteMany({ run });
  }

  /** The runs of one preset, newest first. */
  async list(owner: string, preset: string): Promise<RunHead[]> {
    const now = this.#clock.now();
    const runs = await this.#runs
      .find({ preset, owner }, { sort: { createdAt: -1, _id: 1 }, limit: this.#most })
      .toArray();
    return runs.map((run) => headOf(run, now));
  }

  async get(owner: string, id: string): Promise<RunWithAnswers> {
    const run = await this.#runs.findOne({ _id: id, owner });
    if (run === null) throw errors.run_not_found({ values: { id: id.slice(0, 100) } });
    const answers = await this.#answersOf(id);
    const head = headOf(run, this.#clock.now());
    return { ...head, ...(run.endedAt === null && { summary: summarize(answers) }), answers };
  }

  async delete(owner: string, id: string): Promise<void> {
    if ((await this.#runs.deleteOne({ _id: id, owner })) === 0)
      throw errors.run_not_found({ values: { id: id.slice(0, 100) } });
    await this.#answers.deleteMany({ run: id });
  }

  async deleteOf(preset: string): Promise<void> {
    for await (const { _id } of this.#runs.find({ preset }, { projection: { _id: 1 } }))
      await this.#answers.deleteMany({ run: _id });
    await this.#runs.deleteMany({ preset });
  }

  async *all(owner: string): AsyncGenerator<RunWithAnswers> {
    for (const { _id } of await this.#runs.find({ owner }, { projection: { _id: 1 } }).toArray())
      yield await this.get(owner, _id);
  }

  /** Returns the number of runs. */
  async erase(owners: readonly string[]): Promise<number> {
    const theirs = { owner: { $in: [...owners] } };
    const erased = await this.#runs.deleteMany(theirs);
    await this.#answers.deleteMany(theirs);
    return erased;
  }

  async #forgetOldest(owner: string): Promise<void> {
    const runs = await this.#runs
      .find({ owner }, { sort: { createdAt: -1, _id: 1 }, projection: { _id: 1 } })
      .toArray();
    for (const { _id } of runs.slice(this.#most - 1)) await this.delete(owner, _id);
  }

  async #answersOf(run: string): Promise<RunAnswer[]> {
    const answers: RunAnswer[] = [];
    for await (const { answer } of this.#answers.find({ run }, { sort: { at: 1 } })) {
      answers.push(JSON.parse(answer) as RunAnswer);
      if (turnIsOver()) await nextTurn();
    }
    return answers;
  }
}

function headOf(run: RunDocument, now: number): RunHead {
  const { _id, preset, createdAt, endsBy, endedAt, isWhole, done, total, cost, summary } = run;
  const isOver = endedAt !== null || endsBy.getTime() < now;
  return {
    id: _id,
    preset,
    state: isWhole ? 'done' : isOver ? 'stopped' : 'running',
    done,
    total,
    started_at: createdAt.toISOString(),
    ended_at: endedAt?.toISOString() ?? null,
    cost,
    summary: [...summary],
  };
}
