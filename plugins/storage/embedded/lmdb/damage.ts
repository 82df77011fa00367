/** What is wrong with a file of the store, as the end of a sentence that begins with its name. */
import { UserError } from 'plugboard/sdk';

export class Damage extends Error {
  override readonly name = 'Damage';
}

/** The files of a store that cannot be opened as they are; the message says what to do. */
export class DamagedStore extends UserError {
  override readonly foundBy = 'data check';
}

/** Runs `work` on the file; turns its `Damage` into one that says what to do. */
export function inFile<T>(path: string, what: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Damage)) throw error;
    throw new DamagedStore(`"${path}" is damaged: ${error.message}; ${what}`, { cause: error });
  }
}
