/** A person's data: the authorizations, without their tokens. */
import type { Collection, PeopleData } from 'plugboard/sdk';
import type { AuthorizationDocument } from './documents.js';
import type { RecordedAuthorizations } from './recorded.js';

export function peopleData(
  documents: Collection<AuthorizationDocument>,
  recorded: RecordedAuthorizations,
): PeopleData {
  return {
    async *export({ id }) {
      if (id === undefined) return;
      for await (const { tokenHash: _, sealedToken: __, unique: ___, ...shown } of documents.find({
        userId: id,
      }))
        yield shown;
    },
    erase: async ({ id }) => (id === undefined ? 0 : recorded.erase({ userId: id })),
  };
}
