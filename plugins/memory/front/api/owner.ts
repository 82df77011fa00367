/**
 * The memories a request may access: management all, a key with the scope `memory` its tenant's, a person of that
 * tenant their own and, for reading, shared ones.
 */
import { ownerOf, type Auth, type Request } from 'plugboard/sdk';
import { SCOPE } from '../chat/recall.js';
import type { EntryDocument } from '../../engine/entries/document.js';
import { errors } from '../../engine/base/errors.js';

/** The guard of routes on which a key or a person accesses its own memories. */
export const guardOwner = (auth: Auth) => auth.guard('management', { scope: SCOPE });

/** The limits of a caller. */
export interface Reach {
  readonly owner: string;
  /** The end user of a person; absent for a key, which may name any end user of its owner. */
  readonly user?: string;
}

/** Undefined for management, which may name any owner. */
export function reachOf(auth: Auth, request: Request): Reach | undefined {
  const caller = auth.principal(request);
  if (auth.allows(caller, 'manage')) return undefined;
  const owner = ownerOf(caller);
  return caller.kind === 'person' ? { owner, user: caller.id } : { owner };
}

interface Asked {
  readonly apiKeyId?: string | null | undefined;
  readonly userId?: string | null | undefined;
}

/** The owner and end user of a request, whether it names them or not. */
export function within<T extends Asked>(reach: Reach | undefined, asked: T): T {
  if (reach === undefined) return asked;
  const { owner, user } = reach;
  if (isOther(asked.apiKeyId, owner)) throw errors.foreign_memory({ param: 'apiKeyId' });
  if (user === undefined) return { ...asked, apiKeyId: owner };
  if (isOther(asked.userId, user)) throw errors.foreign_memory({ param: 'userId' });
  return { ...asked, apiKeyId: owner, userId: user };
}

/**
 * Another owner's entry does not exist for the caller. For a person, neither does another person's; a shared one is
 * read-only.
 */
export function assertReached(reach: Reach | undefined, entry: EntryDocument, to: 'read' | 'change'): void {
  if (!isReached(reach, entry, to)) throw errors.memory_not_found({ values: { id: entry._id } });
}

export function isReached(
  reach: Reach | undefined,
  { apiKeyId, userId = null }: EntryDocument,
  to: 'read' | 'change',
): boolean {
  if (reach === undefined) return true;
  const { owner, user } = reach;
  const isOwn = user === undefined || userId === user || (to === 'read' && userId === null);
  return apiKeyId === owner && isOwn;
}

function isOther(asked: string | null | undefined, own: string): boolean {
  return asked !== undefined && asked !== '' && asked !== own;
}
