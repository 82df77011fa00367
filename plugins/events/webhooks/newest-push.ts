/** The newest push of a repository, to test a hook with. */
import type { Collection } from 'plugboard/sdk';
import type { EventDocument } from '../store/documents.js';
import type { ToldEvent } from './payload.js';

/** Events to read, of the public and of the private ones. */
const LOOKED_AT = 30;

/** `base`: the address of this server as the caller knows it. Undefined if none of the newest events is a push. */
export async function newestPush(
  events: Collection<EventDocument>,
  repository: number,
  base: string,
): Promise<ToldEvent | undefined> {
  const ranges = await Promise.all(
    [true, false].map((isPublic) =>
      events
        .find(
          { repo: repository, public: isPublic },
          { sort: { at: -1, _id: -1 }, limit: LOOKED_AT, projection: { text: 1, at: 1 } },
        )
        .toArray(),
    ),
  );
  const newest = ranges.flat().toSorted((a, b) => +b.at - +a.at);
  for (const { text } of newest) {
    if (!text.includes('"PushEvent"')) continue;
    const event = JSON.parse(text.replaceAll('\0', JSON.stringify(base).slice(1, -1))) as ToldEvent;
    if (event.type === 'PushEvent') return event;
  }
  return undefined;
}
