/** Access tokens: 40 hexadecimal digits, found by their hash. */
import { randomBytes } from 'node:crypto';
import { sha256 } from 'plugboard/sdk';

const TOKEN = /^[0-9a-f]{40}$/;

export function newToken(): string {
  return randomBytes(20).toString('hex');
}

/** Undefined for a text that cannot be a token, so that it costs no look-up. 160 random bits need no slow hash. */
export function tokenHash(text: string): string | undefined {
  return TOKEN.test(text) ? sha256(text) : undefined;
}
