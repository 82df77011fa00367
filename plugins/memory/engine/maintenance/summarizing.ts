/** Summarizing as a job: it continues if the request or the server that started it is gone. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Jobs } from 'plugboard/sdk';
import { errors } from '../base/errors.js';
import type { Readiness } from '../live/readiness.js';
import type { Summarize, SummarizeOrder } from './summarize.js';
import type { Totals } from './tally.js';
import type { Summarized } from './summarized.js';

const SUMMARIZE = 'summarize';
const FIRST_LOOK_MS = 10;
const LAST_LOOK_MS = 500;

type Asked = Omit<SummarizeOrder, 'dryRun'>;

export class Summarizing {
  readonly #jobs: Jobs;
  readonly #summarize: Summarize;
  /** Aborted when the plugin stops: then nobody waits for a job. */
  readonly #signal: AbortSignal;

  readonly #readiness: Readiness;

  /** Requires the complete index; otherwise near-duplicates would be missed. */
  constructor(jobs: Jobs, summarize: Summarize, signal: AbortSignal, readiness: Readiness) {
    this.#jobs = jobs;
    this.#summarize = summarize;
    this.#signal = signal;
    this.#readiness = readiness;
    jobs.handle<Asked, Totals>(SUMMARIZE, async (run) => {
      await readiness.whenComplete(run.signal);
      return summarize.run({ ...run.input, dryRun: false }, run);
    });
  }

  /** A dry run changes nothing and is no job. Concurrent equal requests share one job. */
  async run({ dryRun, ...asked }: SummarizeOrder): Promise<Summarized> {
    if (dryRun) {
      await this.#readiness.soon();
      return this.#summarize.run({ ...asked, dryRun });
    }
    const key = JSON.stringify([asked.olderThanDays, asked.owner ?? null]);
    const { id } = await this.#jobs.add(SUMMARIZE, { key, input: asked });
    for (let wait = FIRST_LOOK_MS; !this.#signal.aborted; wait = Math.min(wait * 2, LAST_LOOK_MS)) {
      await sleep(wait);
      const job = await this.#jobs.get(id);
      if (job?.state === 'done') return job.result as Summarized;
      if (job === null || job.state === 'failed' || job.state === 'cancelled') break;
    }
    throw errors.summarize_incomplete();
  }
}
