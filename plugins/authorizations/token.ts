/** Access tokens: 40 hexadecimal digits, found by their hash. */
import { randomBytes } from 'node:crypto';
import { sha256 } from 'plugboard/sdk';

const TOKEN = /^[0-9a-f]{40}$/;

export function newToken(): string {
  return randomBytes(20).toString('hex');
}

/** A client mostly sends one token over a connection. */
const LAST = Symbol('plugboard.authorizations.token');
type Connection = object & { [LAST]?: { readonly token: string; readonly hash: string | undefined } };

/** The hash of a token, cached per connection until another token comes. */
export function hashOnce(connection: Connection, token: string): string | undefined {
  if (connection[LAST]?.token !== token) connection[LAST] = { token, hash: tokenHash(token) };
  return connection[LAST]?.hash;
}

/** Undefined for a text that cannot be a token, which saves the look-up. 160 random bits need no slow hash. */
export function tokenHash(text: string): string | undefined {
  return TOKEN.test(text) ? sha256(text) : undefined;
}
