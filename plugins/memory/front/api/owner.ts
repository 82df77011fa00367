/** Whose memories a request may reach: management all, a key with the scope `memory` its own. */
import type { Auth, Request } from 'plugboard/sdk';
import { SCOPE } from '../chat/recall.js';
import type { EntryDocument } from '../../engine/entries/document.js';
import { errors } from '../../engine/base/errors.js';

/** The guard of the routes on which a key has memories of its own. */
export const guardOwner = (auth: Auth) => auth.guard('management', { scope: SCOPE });

/** The only owner that the caller may name; undefined for management, which may name any. */
export function onlyOwner(auth: Auth, request: Request): string | undefined {
  const caller = auth.principal(request);
  return caller.kind === 'key' && !auth.allows(caller, 'manage') ? caller.id : undefined;
}

/** The owner for a request that names `asked`, or names none. */
export function ownerFor<T extends string | null | undefined>(
  only: string | undefined,
  asked: T,
): T | string {
  if (only === undefined) return asked;
  if (asked !== undefined && asked !== '' && asked !== only)
    throw errors.foreign_memory({ param: 'apiKeyId' });
  return only;
}

/** Another owner's entry is not there. */
export function assertOwned(only: string | undefined, { _id, apiKeyId }: EntryDocument): void {
  if (only !== undefined && apiKeyId !== only) throw errors.memory_not_found({ values: { id: _id } });
}
