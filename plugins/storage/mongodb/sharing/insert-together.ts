/** Inserts of several callers in one message: each is told what became of its own document. */
import { MongoBulkWriteError, MongoInvalidArgumentError, MongoServerError } from 'mongodb';
import type { Collection as DriverCollection } from 'mongodb';
import { StorageError } from 'plugboard/sdk';
import type { Stored } from '../translate/values.js';
import type { Outcome, Sender } from './shared-message.js';

export function insertSender(raw: DriverCollection<Stored>): Sender<Stored, void> {
  const one = async (document: Stored): Promise<void> => {
    await raw.insertOne(document);
  };
  return {
    one,
    several: async (documents) => {
      try {
        await raw.insertMany([...documents], { ordered: false });
        return documents.map(() => INSERTED);
      } catch (error) {
        // Thrown before anything is sent: one of them cannot be.
        if (error instanceof MongoInvalidArgumentError || error instanceof RangeError)
          return Promise.all(documents.map((document) => outcomeOf(one(document))));
        return outcomesIn(error, documents.length);
      }
    },
  };
}

const INSERTED: Outcome<void> = { value: undefined };

function outcomeOf(insert: Promise<void>): Promise<Outcome<void>> {
  return insert.then(
    () => INSERTED,
    (error: unknown) => ({ error }),
  );
}

/** Throws again what concerns all of them: a lost connection, a majority that did not confirm. */
function outcomesIn(error: unknown, count: number): Outcome<void>[] {
  const refused = error instanceof MongoBulkWriteError ? [error.writeErrors].flat() : [];
  if (refused.length === 0) throw error;
  const byIndex = new Map(refused.map((one) => [one.index, one]));
  // Beside a refused document the driver says only here that the majority did not confirm the others.
  const confirmed = (error as MongoBulkWriteError).result.getWriteConcernError() === undefined;
  const others = confirmed ? INSERTED : { error: unconfirmed() };
  return Array.from({ length: count }, (_, at) => {
    const own = byIndex.get(at);
    return own === undefined
      ? others
      : { error: new MongoServerError({ message: own.errmsg ?? '', code: own.code }) };
  });
}

function unconfirmed(): StorageError {
  return new StorageError('unavailable', 'the majority of the replica set did not confirm the write');
}
