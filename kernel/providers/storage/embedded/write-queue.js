import { WriteBatch } from './batch.js';
import { unavailable } from './environment.js';
/** A commit takes in at most so many jobs, that the first of them does not wait too long. */
const JOBS_PER_COMMIT = 1000;
export class WriteQueue {
    #environment;
    #catalog;
    #changes;
    #clock;
    #committed;
    #waiting = [];
    #scheduled = false;
    constructor(environment, catalog, changes, clock, committed) {
        this.#environment = environment;
        this.#catalog = catalog;
        this.#changes = changes;
        this.#clock = clock;
        this.#committed = committed;
    }
    /** Resolves when what `work` wrote is on disk. A throw of `work` undoes its writes and is thrown on. */
    async submit(work) {
        let result;
        await this.submitBatch((writer) => {
            const batch = new WriteBatch(writer, this.#clock.now());
            result = work(batch);
            return batch;
        });
        return result;
    }
    /** The same for writes that are collected already. Resolves to false when `prepare` has none to store. */
    submitBatch(prepare) {
        return new Promise((resolve, reject) => {
            this.#waiting.push({ prepare, resolve, reject });
            if (!this.#scheduled) {
                this.#scheduled = true;
                setImmediate(() => this.#flush());
            }
        });
    }
    #flush() {
        this.#scheduled = false;
        const jobs = this.#waiting.splice(0, JOBS_PER_COMMIT);
        const done = [];
        const refused = [];
        try {
            this.#environment.write((writer) => {
                this.#catalog.refresh(writer);
                for (const job of jobs) {
                    let batch;
                    try {
                        batch = job.prepare(writer);
                    }
                    catch (error) {
                        refused.push({ job, error });
                        continue;
                    }
                    batch?.commit(writer, this.#catalog, this.#changes);
                    done.push({ job, stored: batch !== undefined });
                }
            });
            this.#committed();
            for (const { job, stored } of done)
                job.resolve(stored);
            for (const { job, error } of refused)
                job.reject(error);
        }
        catch (error) {
            this.#catalog.forget();
            for (const job of jobs)
                job.reject(unavailable(error));
        }
        if (this.#waiting.length > 0 && !this.#scheduled) {
            this.#scheduled = true;
            setImmediate(() => this.#flush());
        }
    }
    /** Resolves when all that was submitted is stored or refused. */
    async drain() {
        while (this.#waiting.length > 0)
            await new Promise((resolve) => setImmediate(resolve));
    }
}
//# sourceMappingURL=write-queue.js.map