/** A request with an idempotency key: which request it is, and what it asks. */
import type { Secrets } from 'plugboard/sdk';
import { sha256 } from 'plugboard/sdk';

export interface KeyedRequest {
  /** Of platform, method, path and key: the same request has the same id. */
  readonly id: string;
  /** SHA-256 of the body, whatever the order of its members. */
  readonly bodyHash: string;
}

/** Days for which a key stands for its first success. */
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

/** Members in the order of their names. The body parser bounds the depth. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, inner]) => [name, sorted(inner)]);
}

/**
 * A code of the hash is kept, not the hash: of a body with an id number in it, that would let a reader of the store try
 * all numbers.
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
    // Its code was made with a seal key that is no longer listed. The same key is the same request: whoever repeats it
    // wants to hear how it ended, and it must not be done twice.
    return true;
  }
}
