/**
 * People by the tokens of their identity provider: from a JWT to a principal.
 *
 * A token is verified once and cached by its hash, bounded; its times are checked at each use, and it is dropped when
 * its issuer's keys change.
 */
import { decodeJwt } from 'jose';
import { type Clock, type Principal, sha256 } from 'plugboard/sdk';
import { errors } from '../errors.js';
import { claimAt, rolesIn, type ClaimPath } from './claim-path.js';
import type { KeySet } from './key-set.js';
import type { IssuerConfig } from './schema.js';
import { isTimely, RefusedToken, verifyToken, type VerifiedClaims } from './verify.js';

export type Person = Extract<Principal, { kind: 'person' }>;

export interface Issuer {
  readonly config: IssuerConfig;
  /** `config.role`, parsed. */
  readonly rolePath: ClaimPath;
  readonly keys: KeySet;
}

interface Verified {
  readonly person: Person;
  readonly times: Pick<VerifiedClaims, 'exp' | 'nbf'>;
  readonly issuer: Issuer;
  readonly generation: number;
}

/** Characters; claims of that size belong in a directory, not in a token. */
const LONGEST_TOKEN = 8 * 1024;
const CAPACITY = 10_000;
/** Seconds after which a client may retry while an issuer's keys cannot be read. */
const RETRY_AFTER = '5';

export class Issuers {
  readonly #byIssuer: ReadonlyMap<string, Issuer>;
  readonly #clock: Clock;
  readonly #verified = new Map<string, Verified>();

  constructor(issuers: readonly Issuer[], clock: Clock) {
    this.#byIssuer = new Map(issuers.map((issuer) => [issuer.config.issuer, issuer]));
    this.#clock = clock;
  }

  /**
   * The person of a token; undefined for a text that is not a JWT or has an unlisted issuer: another verifier may know
   * it. Throws a 401 for a refused token, and a 503 while the issuer's keys cannot be read. No promise for a token that
   * was verified before.
   */
  verify(token: string): Person | undefined | Promise<Person | undefined> {
    if (this.#byIssuer.size === 0 || !token.startsWith('eyJ')) return undefined;
    const hash = sha256(token);
    const now = this.#clock.now();
    const known = this.#verified.get(hash);
    if (known === undefined) return this.#verifyNew(token, hash, now);
    if (known.generation === known.issuer.keys.generation && isTimely(known.times, now)) return known.person;
    this.#verified.delete(hash);
    return this.#verifyNew(token, hash, now);
  }

  async #verifyNew(token: string, hash: string, now: number): Promise<Person | undefined> {
    if (token.length > LONGEST_TOKEN) throw refused(`it is longer than ${LONGEST_TOKEN} characters`);
    const issuer = this.#byIssuer.get(issuerOf(token) ?? '');
    if (issuer === undefined) return undefined;
    const { generation } = issuer.keys;
    const claims = await this.#claims(token, issuer, now);
    const person = personOf(claims, issuer);
    if (this.#verified.size >= CAPACITY) this.#forgetOldest();
    const { exp, nbf } = claims;
    this.#verified.set(hash, {
      person,
      times: { exp, ...(nbf !== undefined && { nbf }) },
      issuer,
      generation,
    });
    return person;
  }

  async #claims(token: string, { config, keys }: Issuer, now: number): Promise<VerifiedClaims> {
    try {
      if (keys.keys !== undefined) return await verifyToken(token, keys.keys, config, now);
    } catch (error) {
      if (!(error instanceof RefusedToken)) throw error;
      if (!error.unknownKey) throw refused(error.message);
    }
    const renewed = await keys.renew();
    if (keys.keys === undefined || (!renewed && keys.failing))
      throw errors.issuer_unavailable({
        values: { issuer: config.name },
        headers: { 'retry-after': RETRY_AFTER },
      });
    try {
      return await verifyToken(token, keys.keys, config, now);
    } catch (error) {
      throw error instanceof RefusedToken ? refused(error.message) : error;
    }
  }

  #forgetOldest(): void {
    for (const hash of this.#verified.keys()) {
      this.#verified.delete(hash);
      return;
    }
  }
}

function issuerOf(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}

function refused(reason: string): Error {
  return errors.token_refused({
    values: { reason },
    headers: { 'www-authenticate': `Bearer realm="plugboard", error="invalid_token"` },
  });
}

function personOf(claims: VerifiedClaims, { config, rolePath }: Issuer): Person {
  const roles = rolesIn(claimAt(claims, rolePath));
  const granted = [...roles, '*'].flatMap((role) =>
    Object.hasOwn(config.roles, role) ? (config.roles[role] ?? []) : [],
  );
  return Object.freeze({
    kind: 'person',
    id: `${config.name}|${claims.sub}`,
    issuer: config.name,
    subject: claims.sub,
    owner: config.owner ?? config.name,
    roles: Object.freeze(roles),
    claims: Object.freeze({ ...claims }),
    scopes: Object.freeze([...new Set(granted)]),
  });
}
