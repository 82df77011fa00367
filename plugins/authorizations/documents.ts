/** Stored authorizations. */
import { sha256, type Application, type Collection, type Document, type Storage } from 'plugboard/sdk';

export interface AuthorizationDocument extends Document {
  /** The same number as in `_id`. */
  readonly id: number;
  readonly userId: number;
  /** Null for a personal one. */
  readonly appId: string | null;
  /** The application's name; it may be deleted later. */
  readonly app: Pick<Application, 'clientId' | 'name' | 'url'> | null;
  /** Of the application, see `Revocations`; 0 for a personal one. */
  readonly generation: number;
  readonly note: string | null;
  readonly noteUrl: string | null;
  readonly scopes: readonly string[];
  readonly fingerprint: string | null;
  readonly tokenHash: string;
  /** Null if tokens are shown only at creation. */
  readonly sealedToken: string | null;
  /** Unique key; missing if identical authorizations are allowed. */
  readonly unique?: string;
  /** Counts the changes, so that no change overwrites another. */
  readonly revision: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export function authorizationsIn(storage: Storage): Collection<AuthorizationDocument> {
  return storage.collection<AuthorizationDocument>({
    name: 'authorizations',
    indexes: [
      { keys: { tokenHash: 1 }, unique: true },
      { keys: { unique: 1 }, unique: true, sparse: true },
      { keys: { userId: 1, id: 1 } },
      { keys: { id: 1 } },
      { keys: { appId: 1, generation: 1 } },
    ],
  });
}

/** The note of a personal authorization is unique for its user. */
export function personalKey(userId: number, note: string): string {
  return `note ${userId} ${sha256(note)}`;
}

/** One authorization for an application, user and fingerprint; no fingerprint is one, too. */
export function appKey(
  { userId, appId, generation }: { userId: number; appId: string; generation: number },
  fingerprint: string | null,
): string {
  return `app ${userId} ${appId} ${generation} ${fingerprint === null ? '' : sha256(fingerprint)}`;
}
