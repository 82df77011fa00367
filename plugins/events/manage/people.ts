/** A person's data: the person's events, follows, watches and memberships. */
import type { Changes, Collection, PeopleData, Storage } from 'plugboard/sdk';
import type { Directory } from '../directory/directory.js';
import type { DirectoryVersion } from '../directory/version.js';
import type { EventDocument } from '../store/documents.js';
import { changeId } from '../webhooks/change.js';
import { forgetAccount } from './forget-account.js';

export interface PeopleParts {
  readonly storage: Storage;
  readonly directory: Directory;
  readonly events: Collection<EventDocument>;
  readonly version: DirectoryVersion;
  readonly changes?: Changes | undefined;
}

/** Events in one deletion. */
const BATCH = 500;

export function peopleData(parts: PeopleParts): PeopleData {
  const { storage, directory, events, changes } = parts;
  return {
    async *export({ id }) {
      if (id === undefined) return;
      for await (const { _id, text } of events.find({ actor: id }))
        yield { event: _id, record: text.replaceAll('\0', '') };
      for await (const { kind, target } of directory.ties.find({ user: id })) yield { tie: kind, target };
    },
    async erase({ id }) {
      if (id === undefined) return 0;
      let erased = 0;
      for (let batch = BATCH; batch === BATCH; erased += batch) {
        const found = await events
          .find({ actor: id }, { limit: BATCH, projection: { _id: 1, text: 1 } })
          .toArray();
        batch = found.length;
        if (changes?.on === true)
          await storage.transaction((tx) =>
            changes.forget(
              tx,
              found.map(({ _id, text }) => ({ id: changeId(_id), subject: repositoryIn(text) })),
            ),
          );
        await events.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } });
      }
      await storage.transaction((tx) => forgetAccount(parts, id, tx));
      return erased;
    },
  };
}

function repositoryIn(text: string): string {
  return (JSON.parse(text.replaceAll('\0', '')) as { repo: { name: string } }).repo.name;
}
