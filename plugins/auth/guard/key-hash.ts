/** The hash under which the API key of a request is looked up. */
import type { Socket } from 'node:net';
import { type Request, sha256 } from 'plugboard/sdk';
import { readCredential } from './credential.js';

/** Most clients send one credential per connection: reading and hashing it each time was half of a guard's cost. */
const LAST = Symbol('plugboard.lastKey');
type Connection = Socket & { [LAST]?: { readonly authorization: string; readonly hash: string | undefined } };

/** Undefined if the request has no API key. */
export function keyHash({ headers, raw }: Request): string | undefined {
  const { authorization } = headers;
  const connection = raw.socket as Connection;
  const last = connection[LAST];
  if (last !== undefined && last.authorization === authorization) return last.hash;
  const sent = readCredential(headers, undefined);
  const hash = sent.kind === 'key' ? sha256(sent.key) : undefined;
  if (authorization !== undefined) connection[LAST] = { authorization, hash };
  return hash;
}
