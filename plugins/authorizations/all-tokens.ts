/** The management's list and revocation of all users' tokens. Never shows a token. */
import type { Auth, Collection, Directory, Filter } from 'plugboard/sdk';
import type { AuthorizationDocument } from './documents.js';
import { errors } from './errors.js';
import type { RecordedAuthorizations } from './recorded.js';
import type { Revocations } from './revocations.js';
import type { ListedToken, TokenPage, TokenQuery } from './management-schema.js';

export interface AllTokensParts {
  readonly documents: Collection<AuthorizationDocument>;
  readonly recorded: RecordedAuthorizations;
  readonly revocations: Revocations;
  readonly directory: Directory;
  readonly auth: Auth;
}

export class AllTokens {
  readonly #parts: AllTokensParts;

  constructor(parts: AllTokensParts) {
    this.#parts = parts;
  }

  /** Newest first. Leaves out revoked ones that are not cleaned up yet, so a page may be short. */
  async page({ user, app, limit, after }: TokenQuery): Promise<TokenPage> {
    const { documents, directory, revocations, auth } = this.#parts;
    const account = user === undefined ? undefined : await directory.byLogin(user);
    const application = app === undefined ? undefined : await auth.apps.byClientId(app);
    if (account === null || application === null) return { tokens: [], next: null };
    const filter: Filter<AuthorizationDocument> = {
      ...(account !== undefined && { userId: account.id }),
      ...(application !== undefined && { appId: application.id }),
      ...(after !== undefined && { id: { $lt: after } }),
    };
    const found = await documents.find(filter, { sort: { id: -1 }, limit: limit + 1 }).toArray();
    const page = found.slice(0, limit);
    const [users, accepted] = await Promise.all([
      directory.byIds([...new Set(page.map(({ userId }) => userId))]),
      revocations.accepted(page),
    ]);
    return {
      tokens: accepted.map((document) => listed(document, users.get(document.userId)?.login ?? null)),
      next: found.length > limit ? (page.at(-1)?.id ?? null) : null,
    };
  }

  async revoke(id: number): Promise<void> {
    if ((await this.#parts.recorded.deleteOne({ _id: String(id) })) === 0)
      throw errors.authorization_not_found();
  }
}

function listed(document: AuthorizationDocument, login: string | null): ListedToken {
  const { id, userId, app, note, scopes, fingerprint, createdAt, updatedAt } = document;
  return {
    id,
    user: { id: userId, login },
    app: app && { client_id: app.clientId, name: app.name },
    note,
    scopes,
    fingerprint,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  };
}
