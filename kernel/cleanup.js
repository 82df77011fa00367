/** Releases of acquired resources: last in, first out, each with a deadline, all of them even when one fails. */
import { withDeadline } from './deadline.js';
export class Cleanup {
    #releases = [];
    #gone = new Set();
    #over = false;
    /**
     * Registers a release; `owner` names it when it fails. For an owner that was released already (its set-up
     * went on behind its deadline) it runs at once.
     */
    add(owner, run) {
        if (this.#over || this.#gone.has(owner))
            void Promise.resolve()
                .then(run)
                .catch(() => { });
        else
            this.#releases.push({ owner, run });
    }
    /**
     * Runs the releases of `owner`, or of everyone, and forgets them: a second call does nothing. `deadline` in
     * milliseconds is each release's own. Never throws; the failures are the answer.
     */
    async run(deadline, owner) {
        const failures = [];
        if (owner === undefined)
            this.#over = true;
        else
            this.#gone.add(owner);
        for (let at = this.#releases.length - 1; at >= 0; at -= 1) {
            const release = this.#releases[at];
            if (release === undefined || (owner !== undefined && release.owner !== owner))
                continue;
            this.#releases.splice(at, 1);
            try {
                await withDeadline(async () => release.run(), deadline, () => new Error(`a release of "${release.owner}" did not end within ${deadline} ms`));
            }
            catch (error) {
                failures.push({ owner: release.owner, error });
            }
        }
        return failures;
    }
}
//# sourceMappingURL=cleanup.js.map