/** Valid time of an entry: the interval in which it is true, independent of when it was learned or expires. */
import type { Filter } from 'plugboard/sdk';
import { errors } from '../base/errors.js';
import type { EntryDocument } from './document.js';
import type { EntryPatch } from './entry.js';

/** Milliseconds since the epoch; either end may be open. */
export interface Validity {
  readonly validFrom: number;
  readonly validUntil: number;
}

/** Null, or absent in older documents: unbounded. */
export function validityOf({
  validFrom = null,
  validUntil = null,
}: Pick<EntryDocument, 'validFrom' | 'validUntil'>): Validity {
  return { validFrom: validFrom?.getTime() ?? -Infinity, validUntil: validUntil?.getTime() ?? Infinity };
}

export function holdsAt({ validFrom, validUntil }: Validity, at: number): boolean {
  return validFrom <= at && at < validUntil;
}

/** As a storage filter. */
export function holding(at: number): Filter<EntryDocument> {
  const instant = new Date(at);
  return {
    $and: [
      { $or: [{ validFrom: null }, { validFrom: { $lte: instant } }] },
      { $or: [{ validUntil: null }, { validUntil: { $gt: instant } }] },
    ],
  };
}

/** Checks a change of one end of the interval against the other end. Throws `ends_before_it_begins`. */
export function assertEndsAfter(before: EntryDocument, { validFrom, validUntil }: EntryPatch): void {
  if (validFrom === undefined && validUntil === undefined) return;
  const from = validFrom === undefined ? validityOf(before).validFrom : Date.parse(validFrom);
  const until = validUntil === undefined ? validityOf(before).validUntil : Date.parse(validUntil ?? '');
  if (until <= from) throw errors.ends_before_it_begins({ param: 'validUntil' });
}
