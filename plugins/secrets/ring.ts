/** The key ring of the SECRETS service: the first key seals, every key opens. */
import { createHmac, createSecretKey, hkdfSync } from 'node:crypto';
import { constantTimeEqual, open, seal, type Secrets, sha256 } from 'plugboard/sdk';

/** 32 bytes in base64 (standard or URL alphabet) or hex. */
const KEY = '([0-9a-fA-F]{64}|[A-Za-z0-9+/_-]{43}=?)';
/** One key, or several separated by line breaks, as in `seal.key` after a restore. */
export const SEAL_KEY_PATTERN = `^(${KEY}[\\r\\n]+)*${KEY}$`;

export interface Ring extends Omit<Secrets, 'keeps'> {
  /** Whether the text was sealed with the first key. */
  isCurrent(sealed: string): boolean;
}

interface RingKey {
  /** The first eight hex digits of the key's SHA-256. */
  readonly id: string;
  readonly bytes: Buffer;
  readonly mac: (text: string) => string;
}

/** Sealed texts and codes are `ID.REST`: they name their key, which tells a missing key from a damaged text. */
export function sealRing(keys: readonly [string, ...string[]]): Ring {
  const first = ringKey(keys[0]);
  const ring = new Map(keys.map(ringKey).map((key) => [key.id, key] as const));
  const namedBy = (text: string): [RingKey, string] => {
    const [id = '', rest = ''] = text.split('.');
    const key = ring.get(id);
    if (key === undefined) {
      throw new Error(
        `a secret was sealed with the key ${id}, which "providers.secrets.keys" no longer lists (listed: ${[...ring.keys()].join(', ')})`,
      );
    }
    return [key, rest];
  };
  return {
    isCurrent: (sealed) => sealed.startsWith(`${first.id}.`),
    seal: (plain, context) => `${first.id}.${seal(plain, first.bytes, context)}`,
    open(sealed, context) {
      const [key, text] = namedBy(sealed);
      return open(text, key.bytes, context);
    },
    mac: (text, context) => `${first.id}.${first.mac(inContext(text, context))}`,
    isMac(mac, text, context) {
      const [key, code] = namedBy(mac);
      return constantTimeEqual(key.mac(inContext(text, context)), code);
    },
  };
}

/** The context is length-prefixed, so the text is unambiguous. */
function inContext(text: string, context: string): string {
  return `${context.length}:${context}${text}`;
}

function ringKey(text: string): RingKey {
  const bytes = decodeKey(text);
  // MACs use a derived key (HKDF, RFC 5869): a key serves one purpose.
  const macKey = createSecretKey(new Uint8Array(hkdfSync('sha256', bytes, '', 'plugboard mac', 32)));
  const mac = (text: string): string => createHmac('sha256', macKey).update(text).digest('base64url');
  return { id: sha256(bytes).slice(0, 8), bytes, mac };
}

function decodeKey(text: string): Buffer {
  return Buffer.from(text, text.length === 64 ? 'hex' : 'base64');
}
