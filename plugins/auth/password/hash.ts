/** How a password is stored: scrypt, with the cost and the salt in the same text. */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

/** The cost parameters of scrypt (RFC 7914 section 2). */
export interface ScryptCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

/** N = 2^15, r = 8, p = 1: 32 MiB and about 60 ms a hash (OWASP's password storage cheat sheet, 2024). */
const SCRYPT: ScryptCost = { N: 32_768, r: 8, p: 1 };

/** Bytes; more than `SCRYPT` needs. */
const MAX_MEMORY = 64 * 1024 * 1024;

/** `scrypt$N$r$p$salt$hash`, salt and hash in base64url. */
export async function hashPassword(password: string, cost: ScryptCost = SCRYPT): Promise<string> {
  const salt = randomBytes(16);
  const hash = await deriveKey(password, salt, cost);
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), hash.toString('base64url')].join('$');
}

/** Takes equally long for wrong and right passwords. False for a text that `hashPassword` did not make. */
export async function verifyPassword(password: string, hashed: string): Promise<boolean> {
  const [scheme, N, r, p, salt, hash] = hashed.split('$');
  if (scheme !== 'scrypt' || salt === undefined || hash === undefined) return false;
  const expected = Buffer.from(hash, 'base64url');
  const actual = await deriveKey(password, Buffer.from(salt, 'base64url'), {
    N: Number(N),
    r: Number(r),
    p: Number(p),
  });
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

function deriveKey(password: string, salt: Buffer, cost: ScryptCost): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, 32, { ...cost, maxmem: MAX_MEMORY }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}
