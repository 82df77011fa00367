/** Readings one after another: many at a time hold no more memory than one, and each is whole as early as it can be. */
import { nextTurn, turnIsOver } from 'plugboard/sdk';

export class OneAtATime {
  #last: Promise<unknown> = Promise.resolve();

  /** In the order of the calls. Many short ones leave turns of the event loop to others, too. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(async () => {
      if (turnIsOver()) await nextTurn();
      return work();
    });
    // The next one waits for the end, not for success.
    this.#last = done.catch(() => undefined);
    return done;
  }
}
