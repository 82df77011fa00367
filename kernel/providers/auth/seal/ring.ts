/** The key ring behind the SECRETS service: the first key seals, every key opens. */
import { open, seal, sha256 } from '../../../sdk/crypto.js';
import type { Secrets } from '../../../sdk/secrets.js';

/** 32 bytes, written as base64 (standard or URL alphabet) or as hex. */
const KEY = '([0-9a-fA-F]{64}|[A-Za-z0-9+/_-]{43}=?)';
/** One key, or several with line breaks between them, as `seal.key` has them behind a restore. */
export const SEAL_KEY_PATTERN = `^(${KEY}[\\r\\n]+)*${KEY}$`;

/**
 * Sealed texts are `ID.SEALED`, ID being the first eight hex digits of the key's SHA-256, so that a text
 * names its key and a missing one is told from a damaged text.
 */
export function sealRing(keys: readonly [string, ...string[]]): Secrets {
  const ring = new Map(keys.map(decodeKey).map((key) => [keyId(key), key] as const));
  const first = decodeKey(keys[0]);
  const firstId = keyId(first);
  return {
    seal: (plain, context) => `${firstId}.${seal(plain, first, context)}`,
    open(sealed, context) {
      const [id = '', text = ''] = sealed.split('.');
      const key = ring.get(id);
      if (key === undefined) {
        throw new Error(
          `a secret was sealed with the key ${id}, which "sealKeys" no longer lists (listed: ${[...ring.keys()].join(', ')})`,
        );
      }
      return open(text, key, context);
    },
  };
}

function decodeKey(text: string): Buffer {
  return Buffer.from(text, text.length === 64 ? 'hex' : 'base64');
}

function keyId(key: Buffer): string {
  return sha256(key).slice(0, 8);
}
