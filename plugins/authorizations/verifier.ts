/** Tokens as credentials: they open other plugins' routes with their scopes. */
import { isDeepStrictEqual } from 'node:util';
import { LRUCache } from 'lru-cache';
import {
  type Directory,
  SharedReads,
  type Application,
  type Auth,
  type Collection,
  type Principal,
  type Storage,
  type TokenVerifier,
  type UserProfile,
} from 'plugboard/sdk';
import type { AuthorizationDocument } from './documents.js';
import type { Revocations } from './revocations.js';
import { hashOnce, tokenHash } from './token.js';

export interface VerifierParts {
  readonly documents: Collection<AuthorizationDocument>;
  readonly revocations: Revocations;
  readonly auth: Pick<Auth, 'apps'>;
  readonly directory: Pick<Directory, 'byId'>;
  readonly storage: Storage;
}

type UserPrincipal = Extract<Principal, { kind: 'user' }>;

/** A token when it was last accepted. Never decides: it only says what to read together with the token. */
interface Known {
  readonly document: AuthorizationDocument;
  readonly principal: UserPrincipal;
}

const REMEMBERED = 10_000;

/** Every request reads its token again, so that a revoked one is refused at once; waiting requests share reads. */
export function verifier(parts: VerifierParts): TokenVerifier {
  const known = new LRUCache<string, Known>({ max: REMEMBERED });
  const reads = new SharedReads<string, Principal | null>(
    (hashes) => check(hashes, parts, known),
    parts.storage,
  );
  return ({ scheme, token, login }, request) => {
    const hash =
      scheme === 'basic'
        ? tokenHash(isPlaceholder(token) ? (login ?? '') : token)
        : hashOnce(request.raw.socket, token);
    return hash === undefined ? undefined : (reads.kept(hash) ?? reads.get(hash));
  };
}

async function check(
  hashes: readonly string[],
  parts: VerifierParts,
  known: LRUCache<string, Known>,
): Promise<Map<string, Principal | null>> {
  const holders = new Holders(parts);
  const before = hashes.flatMap((hash) => known.get(hash)?.document ?? []);
  const [documents] = await Promise.all([
    parts.documents.find({ tokenHash: { $in: hashes } }, { shared: true }).toArray(),
    // Read together with the tokens: their owners seldom change.
    ...before.map((document) => holders.of(document)),
  ]);
  const judged = documents.map(async (document) => {
    const principal = principalOf(document, await holders.of(document), known.get(document.tokenHash));
    if (principal !== null) known.set(document.tokenHash, { document, principal });
    return [document.tokenHash, principal] as const;
  });
  return new Map(await Promise.all(judged));
}

interface Holder {
  readonly user: UserProfile | null;
  /** Null if the application was deleted; undefined for a personal token. */
  readonly app: Application | null | undefined;
  /** Of the application's accepted tokens. */
  readonly generation: number;
}

/** Users and applications of tokens, each read once. */
class Holders {
  readonly #parts: VerifierParts;
  readonly #users = new Map<number, Promise<UserProfile | null>>();
  readonly #apps = new Map<string, Promise<readonly [Application | null, number]>>();

  constructor(parts: VerifierParts) {
    this.#parts = parts;
  }

  async of({ userId, appId, app }: AuthorizationDocument): Promise<Holder> {
    const { auth, directory, revocations } = this.#parts;
    const user = once(this.#users, userId, () => directory.byId(userId));
    if (appId === null || app === null) return { user: await user, app: undefined, generation: 0 };
    const ofApp = once(this.#apps, appId, () =>
      Promise.all([auth.apps.byClientId(app.clientId), revocations.generationOf(appId)]),
    );
    const [[found, generation], profile] = await Promise.all([ofApp, user]);
    return { user: profile, app: found, generation };
  }
}

function once<K, V>(made: Map<K, Promise<V>>, key: K, make: () => Promise<V>): Promise<V> {
  let value = made.get(key);
  if (value === undefined) made.set(key, (value = make()));
  return value;
}

function principalOf(
  document: AuthorizationDocument,
  { user, app, generation }: Holder,
  known: Known | undefined,
): UserPrincipal | null {
  if (user === null || app === null || generation !== document.generation) return null;
  // The same object while nothing changes: others cache by principal.
  if (known?.document.revision === document.revision && isSame(known.principal.user, user))
    return known.principal;
  return Object.freeze({ kind: 'user', user, scopes: document.scopes, via: 'token' });
}

function isSame(one: UserProfile, other: UserProfile): boolean {
  return isDeepStrictEqual(one, other);
}

/** With Basic a token may take the place of the login, and one of these that of the password. */
function isPlaceholder(password: string): boolean {
  return password === '' || password === 'x-oauth-basic';
}
