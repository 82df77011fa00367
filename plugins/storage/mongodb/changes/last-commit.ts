/**
 * What a replica set has committed last, as its primary says: between two equal answers nothing was written, by whomever.
 *
 * The place of the last write in the oplog does not say that alone. Writes take their places before they commit, so that
 * of two the later one may be there while the earlier one is not yet: behind it the place stays what it was. The place of
 * the majority's last write never passes one that is missing. Where both are the same, all up to it is committed, and
 * what is committed after it raises the first of them before it is acknowledged. A new primary writes under a new term.
 */
import type { Document as DriverDocument } from 'mongodb';
import { SharedReads } from 'plugboard/sdk';
import type { Connection } from '../connection.js';

const LAST = 'last';

export class LastCommit {
  readonly #connection: Connection;
  /** None that asks is told what was true before. */
  readonly #hellos = new SharedReads<string, string>(async () => {
    const mark = await this.#hello();
    return new Map(mark === undefined ? [] : [[LAST, mark]]);
  });

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Undefined where it cannot be known: while something is committed, and without one oplog that all reads follow. */
  async mark(): Promise<string | undefined> {
    const { client, deployment } = this.#connection;
    if (deployment !== 'replica set' || client.readPreference.mode !== 'primary') return undefined;
    return this.#hellos.get(LAST);
  }

  async #hello(): Promise<string | undefined> {
    const { db } = this.#connection;
    const { isWritablePrimary, lastWrite } = await db.command({ hello: 1 }, { readPreference: 'primary' });
    if (isWritablePrimary !== true) return undefined;
    const { opTime, majorityOpTime } = (lastWrite ?? {}) as Readonly<Record<string, unknown>>;
    const mark = placeOf(opTime);
    return mark === placeOf(majorityOpTime) ? mark : undefined;
  }
}

/** A time and a term. */
function placeOf(opTime: unknown): string | undefined {
  const { ts, t } = (opTime ?? {}) as DriverDocument;
  return ts === undefined || t === undefined ? undefined : `${String(ts)} ${String(t)}`;
}
