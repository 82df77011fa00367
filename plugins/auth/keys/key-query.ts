/** Which keys a list shows, and where it begins. */
import { containing, decodeCursor, type Filter } from 'plugboard/sdk';
import { errors } from '../errors.js';
import type { ApiKeyDocument } from './key-document.js';

export interface KeyQuery {
  readonly limit: number;
  /** `next` of the previous page. */
  readonly after?: string;
  readonly search?: string;
  readonly state?: 'active' | 'revoked' | 'expired';
}

export const NEWEST_FIRST = { createdAt: -1, _id: -1 } as const;

const SEARCHED = ['name', 'preview', 'owner', 'scopes'] as const;

export function filterOf(
  { search = '', state }: Pick<KeyQuery, 'search' | 'state'>,
  createdBy: number | undefined,
  now: Date,
): Filter<ApiKeyDocument> {
  return {
    ...(createdBy !== undefined && { createdBy }),
    ...(state !== undefined && { $and: [inState(state, now)] }),
    ...(search !== '' && containing<ApiKeyDocument>(search, SEARCHED)),
  };
}

function inState(state: NonNullable<KeyQuery['state']>, now: Date): Filter<ApiKeyDocument> {
  if (state === 'revoked') return { revokedAt: { $ne: null } };
  if (state === 'expired') return { revokedAt: null, expiresAt: { $lte: now } };
  return { revokedAt: null, $or: [{ expiresAt: null }, { expiresAt: { $gt: now } }] };
}

/** Keys after the last one of a page. */
export function behind(cursor: string): Filter<ApiKeyDocument> {
  const place = decodeCursor(cursor);
  if (Array.isArray(place)) {
    const [at, id] = place as unknown[];
    // No date exists beyond these milliseconds.
    if (typeof id === 'string' && Number.isSafeInteger(at) && Math.abs(at as number) <= 8.64e15) {
      const createdAt = new Date(at as number);
      return { $or: [{ createdAt: { $lt: createdAt } }, { createdAt, _id: { $lt: id } }] };
    }
  }
  throw errors.invalid_cursor({ param: 'after' });
}
