/** Reads the credential of a request from its headers only: nothing is verified here. */
import type { IncomingHttpHeaders } from 'node:http';
import { isApiKey } from '../keys/key-format.js';

export type SentCredential =
  | { readonly kind: 'none' }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'token'; readonly scheme: 'bearer' | 'token'; readonly token: string }
  | { readonly kind: 'basic'; readonly login: string; readonly password: string }
  | { readonly kind: 'session'; readonly token: string };

const NONE: SentCredential = { kind: 'none' };
const MALFORMED: SentCredential = { kind: 'malformed' };

/** Headers that contain only an API key: ours and Anthropic's, Supabase's, Azure's, Google's. */
const KEY_HEADERS = ['x-api-key', 'apikey', 'api-key', 'x-goog-api-key'] as const;

/** `Authorization` first, then key headers, then the session cookie, which browsers send unasked. */
export function readCredential(
  headers: IncomingHttpHeaders,
  sessionCookie: string | undefined,
): SentCredential {
  if (headers.authorization !== undefined) return readAuthorization(headers.authorization);
  const apiKey = keyHeader(headers);
  if (apiKey !== undefined) return keyOrToken('bearer', apiKey);
  return sessionCookie === undefined ? NONE : { kind: 'session', token: sessionCookie };
}

/** The credential in a key header, next to `Authorization` or instead of it. */
export function keyHeader(headers: IncomingHttpHeaders): string | undefined {
  const name = KEY_HEADERS.find((header) => typeof headers[header] === 'string');
  return name === undefined ? undefined : (headers[name] as string).trim();
}

/** Schemes are case-insensitive (RFC 9110 11.1). */
function readAuthorization(header: string): SentCredential {
  const space = header.indexOf(' ');
  if (space === -1) return MALFORMED;
  const value = header.slice(space + 1).trim();
  switch (header.slice(0, space).toLowerCase()) {
    case 'bearer':
      return keyOrToken('bearer', value);
    case 'token':
      // Octokit's scheme for its `auth`.
      return keyOrToken('token', value);
    case 'basic':
      return basic(value);
    default:
      return MALFORMED;
  }
}

function keyOrToken(scheme: 'bearer' | 'token', value: string): SentCredential {
  if (isApiKey(value)) return { kind: 'key', key: value };
  return value === '' ? MALFORMED : { kind: 'token', scheme, token: value };
}

/** UTF-8 in base64 (RFC 7617); the login ends at the first colon, so a password may contain others. */
function basic(value: string): SentCredential {
  if (!/^[A-Za-z0-9+/_-]+=*$/.test(value)) return MALFORMED;
  const text = Buffer.from(value, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon === -1) return MALFORMED;
  return { kind: 'basic', login: text.slice(0, colon), password: text.slice(colon + 1) };
}
