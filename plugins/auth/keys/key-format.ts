/** The text of an API key: `pb_` and 43 characters of base64url, 256 random bits. */
import { randomToken } from 'plugboard/sdk';

/** A key set in the config may be longer or, down to 32 characters, shorter than a generated one. */
export const API_KEY_PATTERN = '^pb_[A-Za-z0-9_-]{32,128}$';

const form = new RegExp(API_KEY_PATTERN);

export function newApiKey(): string {
  return `pb_${randomToken(32)}`;
}

export function isApiKey(text: string): boolean {
  return text.startsWith('pb_') && form.test(text);
}

/** A public part of a key that tells it from others: `pb_...wxyz`. */
export function keyPreview(key: string): string {
  return `pb_...${key.slice(-4)}`;
}
