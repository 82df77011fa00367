/** A request with an idempotency key: its identity, and a hash of its body. */
import type { Secrets } from 'plugboard/sdk';
import { sha256 } from 'plugboard/sdk';

export interface KeyedRequest {
  /** From platform, method, path and key: the same request has the same id. */
  readonly id: string;
  /** SHA-256 of the body, independent of the order of its members. */
  readonly bodyHash: string;
}

/** Days for which a key replays its first success. */
export const KEPT_DAYS = 30;
export const KEPT = KEPT_DAYS * 86_400_000;

export interface KeyedInput {
  readonly platform: string;
  readonly method: string;
  readonly path: string;
  readonly key: string;
  readonly body: unknown;
}

export function keyedRequest({ platform, method, path, key, body }: KeyedInput): KeyedRequest {
  return {
    id: sha256(JSON.stringify([platform, method, path, key])),
    bodyHash: sha256(JSON.stringify(sorted(body)) ?? ''),
  };
}

/** Members sorted by name. The body parser bounds the depth. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, inner]) => [name, sorted(inner)]);
}

/**
 * A MAC of the hash is stored, not the hash: with the hash of a body that holds an id number, a reader of the store
 * could try all numbers.
 */
export function fingerprintOf(secrets: Secrets, { id, bodyHash }: KeyedRequest): string {
  return secrets.mac(bodyHash, `idempotency:${id}`);
}

export function hasFingerprint(
  secrets: Secrets,
  { id, bodyHash }: KeyedRequest,
  fingerprint: string,
): boolean {
  try {
    return secrets.isMac(fingerprint, bodyHash, `idempotency:${id}`);
  } catch {
    // The seal key of this MAC is no longer listed. The same idempotency key is the same request: the caller wants its
    // outcome, and it must not be done twice.
    return true;
  }
}
