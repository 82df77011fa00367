/** The person who owns a table's rows, by its catalog. */
import type { PersonColumn } from './model.js';
import type { Reading } from './reading.js';
import type { Place } from './source.js';

/** `user_id`, the column that holds the subject of a token, or `{ column, holds, issuer }`. */
export function readPerson(reading: Reading, place: Place | undefined): PersonColumn | undefined {
  if (place === undefined) return undefined;
  const members =
    place.entries === undefined ? undefined : reading.members(place, ['column', 'holds', 'issuer']);
  const column = reading.text(members === undefined ? place : members.get('column'));
  if (column === undefined) {
    if (members !== undefined) reading.source.error(place, '"person" names its "column"');
    return undefined;
  }
  const holds = reading.oneOf(members?.get('holds'), ['subject', 'user', 'number'], 'subject');
  const issuer = reading.text(members?.get('issuer'));
  if (issuer !== undefined && holds === 'number')
    reading.source.error(members!.get('issuer')!, 'numbers of the directory are of no issuer');
  return { column, holds, issuer };
}
