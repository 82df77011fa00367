/** Time-based one-time passwords: RFC 6238 with SHA-1, six digits, steps of 30 seconds. */
import { Secret, TOTP } from 'otpauth';

/** Accepted steps before and after the present one: clocks drift and people type (RFC 6238 5.2). */
const WINDOW = 1;

/** 160 bits as RFC 4226 section 4 recommends, in base32 without padding. */
export function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** The step that has this code, or undefined; steps are counted from the Unix epoch. `now` in milliseconds. */
export function matchingStep(secret: string, code: string, now: number): number | undefined {
  // The library throws for a code of six characters that are not six bytes.
  if (!/^\d{6}$/.test(code)) return undefined;
  const away = new TOTP({ secret }).validate({ token: code, timestamp: now, window: WINDOW });
  return away === null ? undefined : TOTP.counter({ timestamp: now }) + away;
}

/** What authenticator apps read from a QR code (the key URI format). */
export function totpUri(secret: string, login: string): string {
  return new TOTP({ issuer: 'Plugboard', label: login, secret }).toString();
}
