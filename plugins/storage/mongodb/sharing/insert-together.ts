/** Sends inserts of several callers in one message, and gives each the outcome of its own document. */
import { MongoBulkWriteError, MongoInvalidArgumentError, MongoServerError } from 'mongodb';
import type { Collection as DriverCollection } from 'mongodb';
import { Batcher, type Outcome, StorageError } from 'plugboard/sdk';
import type { Stored } from '../translate/values.js';
import { IN_ONE_MESSAGE } from './messages.js';

export function insertsTogether(raw: DriverCollection<Stored>): Batcher<Stored, void> {
  const one = (document: Stored): Promise<Outcome<void>> =>
    raw.insertOne(document).then(
      () => INSERTED,
      (error: unknown) => ({ error }),
    );
  return new Batcher(async (documents) => {
    const [first] = documents;
    if (documents.length === 1 && first !== undefined) return [await one(first)];
    try {
      await raw.insertMany([...documents], { ordered: false });
      return documents.map(() => INSERTED);
    } catch (error) {
      // Thrown before anything is sent: one of the documents cannot be encoded.
      if (error instanceof MongoInvalidArgumentError || error instanceof RangeError)
        return Promise.all(documents.map(one));
      return outcomesIn(error, documents.length);
    }
  }, IN_ONE_MESSAGE);
}

const INSERTED: Outcome<void> = { value: undefined };

/** Rethrows errors that concern all documents: a lost connection, a failed write concern. */
function outcomesIn(error: unknown, count: number): Outcome<void>[] {
  const refused = error instanceof MongoBulkWriteError ? [error.writeErrors].flat() : [];
  if (refused.length === 0) throw error;
  const byIndex = new Map(refused.map((one) => [one.index, one]));
  // If a document was refused, the driver reports the failed write concern of the others only here.
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
