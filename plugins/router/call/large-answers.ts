/** One large answer at a time is parsed, with a turn of the event loop between two: small calls pass in between. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Characters that are parsed in a few milliseconds. */
const SMALL = 512 * 1024;

export class LargeAnswers {
  #last: Promise<unknown> = Promise.resolve();

  async take<T>(length: number, work: () => T): Promise<T> {
    if (length <= SMALL) return work();
    const turn = this.#last.then(() => nextTurn()).then(work);
    this.#last = turn.catch(() => {});
    return turn;
  }
}
