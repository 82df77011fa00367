/** Defaults of columns and arguments. */
import { isServiceError } from 'plugboard/sdk';
import type { Stored } from '../values/stored.js';
import type { TypeFamily, ValueType } from '../values/type.js';
import type { Default } from './model.js';
import type { Reading } from './reading.js';
import type { Place } from './source.js';

/** As literals they would mean the moment at which the catalog is read, or nothing. */
const MEANT_AS_GENERATED: Readonly<Record<string, readonly TypeFamily[]>> = {
  now: ['date', 'timestamp', 'time'],
  today: ['date', 'timestamp'],
  uuid: ['uuid'],
};

/** A literal, or `{ generated: identity | now | uuid }`. */
export function readDefault(
  reading: Reading,
  place: Place | undefined,
  type: ValueType | undefined,
): Default | undefined {
  if (place === undefined) return undefined;
  if (place.entries?.has('generated') === true && place.entries.size === 1) {
    const generator = place.entries.get('generated')?.value;
    const kind = reading.oneOf(generator, ['identity', 'now', 'uuid'], 'now');
    if (kind === 'identity' && type !== undefined && type.family !== 'integer') {
      reading.source.error(place, `an identity is an integer, not ${type.name}`);
    }
    return { kind };
  }
  const word = typeof place.value === 'string' ? place.value.trim().toLowerCase() : '';
  if (type !== undefined && MEANT_AS_GENERATED[word]?.includes(type.family) === true) {
    const meant = word === 'uuid' ? 'uuid' : 'now';
    reading.source.error(
      place,
      `a default "${word}" would be one value for all rows: write { generated: ${meant} }`,
    );
    return undefined;
  }
  const value = readLiteral(reading, place, type);
  return value === undefined ? undefined : { kind: 'value', value };
}

/** A text is a literal of the type, as in SQL: `'{"a":1}'` is a JSON object. Undefined when it does not parse. */
export function readLiteral(
  reading: Reading,
  place: Place,
  type: ValueType | undefined,
): Stored | null | undefined {
  if (place.value === null) return null;
  if (type === undefined) return undefined;
  try {
    return typeof place.value === 'string' ? type.parse(place.value) : type.fromJson(place.value);
  } catch (error) {
    if (!isServiceError(error)) throw error;
    reading.source.error(place, error.message);
    return undefined;
  }
}
