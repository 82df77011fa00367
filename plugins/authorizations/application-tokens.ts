/** What an application does with its users' tokens: check, reset, revoke one, revoke all. */
import type { Application, Clock, Collection, Directory, Jobs, UserProfile } from 'plugboard/sdk';
import type { Authorizations, Shown } from './authorizations.js';
import type { AuthorizationDocument } from './documents.js';
import { errors } from './errors.js';
import type { RecordedAuthorizations } from './recorded.js';
import type { Revocations } from './revocations.js';
import { newToken, tokenHash } from './token.js';

export interface ApplicationTokenParts {
  readonly documents: Collection<AuthorizationDocument>;
  readonly recorded: RecordedAuthorizations;
  readonly authorizations: Authorizations;
  readonly revocations: Revocations;
  readonly directory: Pick<Directory, 'byId'>;
  readonly jobs: Jobs;
  readonly clock: Clock;
}

export type Checked = Shown & { readonly user: UserProfile };

/** The job that deletes revoked authorizations. */
export const CLEAN_UP = 'clean-up';

export class ApplicationTokens {
  readonly #parts: ApplicationTokenParts;

  constructor(parts: ApplicationTokenParts) {
    this.#parts = parts;
  }

  async check(app: Application, token: string): Promise<Checked> {
    const document = await this.#find(app, token);
    return { document, token, user: await this.#userOf(document) };
  }

  /** The old token is refused from then on. */
  async reset(app: Application, token: string): Promise<Checked> {
    const { recorded, authorizations, clock } = this.#parts;
    const before = await this.#find(app, token);
    const user = await this.#userOf(before);
    const next = newToken();
    const document = await recorded.findOneAndUpdate(
      { _id: before._id, tokenHash: before.tokenHash },
      {
        $set: {
          tokenHash: tokenHash(next) ?? '',
          sealedToken: authorizations.sealedToken(before._id, next),
          updatedAt: new Date(clock.now()),
        },
        $inc: { revision: 1 },
      },
    );
    // Another request has reset or revoked it meanwhile.
    if (document === null) throw errors.authorization_not_found();
    return { document, token: next, user };
  }

  async revoke(app: Application, token: string): Promise<void> {
    const { _id, tokenHash: hash } = await this.#find(app, token);
    const deleted = await this.#parts.recorded.deleteOne({ _id, tokenHash: hash });
    if (deleted === 0) throw errors.authorization_not_found();
  }

  /** Revokes all tokens that this user gave the application: the user has to allow it again. */
  async revokeGrant(app: Application, token: string): Promise<void> {
    const { userId } = await this.#find(app, token);
    await this.#parts.recorded.deleteMany({ appId: app.id, userId });
  }

  /** No token of the application is accepted once this resolves; a job deletes them. */
  async revokeAll({ id: appId, clientId }: Application): Promise<void> {
    const generation = await this.#parts.revocations.revokeAll(appId, clientId);
    await this.#parts.jobs.add(CLEAN_UP, { key: `${appId} ${generation}`, input: { appId } });
  }

  async #find(app: Application, token: string): Promise<AuthorizationDocument> {
    const hash = tokenHash(token);
    const document = hash === undefined ? null : await this.#parts.documents.findOne({ tokenHash: hash });
    if (document !== null && document.appId === app.id && (await this.#parts.revocations.accepts(document)))
      return document;
    throw errors.authorization_not_found();
  }

  async #userOf({ userId }: AuthorizationDocument): Promise<UserProfile> {
    const user = await this.#parts.directory.byId(userId);
    if (user === null) throw errors.authorization_not_found();
    return user;
  }
}
