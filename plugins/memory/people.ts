/** What is kept of a person: the entries of their own, and theirs among those of a tenant. */
import type { Collection, PeopleData, Person } from 'plugboard/sdk';
import type { Entries } from './engine/entries/entries.js';
import type { ExtractionDocument } from './engine/extraction/record.js';
import { present, presentExtraction } from './front/api/present.js';

/** Entries in one deletion. */
const BATCH = 500;

export function peopleData(entries: Entries, records: Collection<ExtractionDocument>): PeopleData {
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
        erased += await entries.purge(found.map(({ _id }) => _id));
        if (found.length < BATCH) return erased;
      }
    },
  };
}

function ofPerson({ principals, userId }: Person) {
  const own = { apiKeyId: { $in: [...principals] } };
  return userId === undefined ? own : { $or: [own, { userId }] };
}
