/** When in the world an entry holds, from an instant until another: not when it was learned, and not when it expires. */
import type { Filter } from 'plugboard/sdk';
import { errors } from '../base/errors.js';
import type { EntryDocument } from './document.js';
import type { EntryPatch } from './entry.js';

/** Milliseconds since the epoch; open at either end. */
export interface Validity {
  readonly validFrom: number;
  readonly validUntil: number;
}

/** Null, or absent in older documents: always. */
export function validityOf({
  validFrom = null,
  validUntil = null,
}: Pick<EntryDocument, 'validFrom' | 'validUntil'>): Validity {
  return { validFrom: validFrom?.getTime() ?? -Infinity, validUntil: validUntil?.getTime() ?? Infinity };
}

export function holdsAt({ validFrom, validUntil }: Validity, at: number): boolean {
  return validFrom <= at && at < validUntil;
}

/** The same for the storage. */
export function holding(at: number): Filter<EntryDocument> {
  const instant = new Date(at);
  return {
    $and: [
      { $or: [{ validFrom: null }, { validFrom: { $lte: instant } }] },
      { $or: [{ validUntil: null }, { validUntil: { $gt: instant } }] },
    ],
  };
}

/** A change that names one end of the interval is held against the other. Throws `ends_before_it_begins`. */
export function assertEndsAfter(before: EntryDocument, { validFrom, validUntil }: EntryPatch): void {
  if (validFrom === undefined && validUntil === undefined) return;
  const from = validFrom === undefined ? validityOf(before).validFrom : Date.parse(validFrom);
  const until = validUntil === undefined ? validityOf(before).validUntil : Date.parse(validUntil ?? '');
  if (until <= from) throw errors.ends_before_it_begins({ param: 'validUntil' });
}
