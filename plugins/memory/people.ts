/** The data of a person: their own entries, and their entries as an end user of a tenant. */
import type { PeopleData, Person } from 'plugboard/sdk';
import { present, presentExtraction } from './front/api/present.js';
import type { Memory } from './service.js';

/** Entries per deletion. */
const BATCH = 500;

export function peopleData({
  entries,
  records,
  forget,
}: Pick<Memory, 'entries' | 'records' | 'forget'>): PeopleData {
  return {
    async *export(person) {
      for await (const entry of entries.documents.find(ofPerson(person))) yield present(entry);
      for await (const record of records.find(ofPerson(person))) yield presentExtraction(record);
    },
    async erase(person) {
      await records.deleteMany(ofPerson(person));
      for (let erased = 0; ;) {
        const found = await entries.documents
          .find(ofPerson(person), { limit: BATCH, projection: { _id: 1 } })
          .toArray();
        erased += await entries.purge(
          found.map(({ _id }) => _id),
          { erases: true },
        );
        if (found.length === BATCH) continue;
        await forget();
        return erased;
      }
    },
  };
}

function ofPerson({ principals, userId }: Person) {
  const own = { apiKeyId: { $in: [...principals] } };
  return userId === undefined ? own : { $or: [own, { userId }] };
}
