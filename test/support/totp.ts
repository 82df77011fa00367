/** The code that an authenticator app shows. */
import { TOTP } from 'otpauth';

/** `now` in milliseconds. */
export function totp(secret: string, now: number): string {
  return new TOTP({ secret }).generate({ timestamp: now });
}
