/** Time-based one-time passwords: RFC 6238 over HOTP (RFC 4226), SHA-1, six digits, steps of 30 seconds. */
import { createHmac, randomBytes } from 'node:crypto';
import { constantTimeEqual } from '../../../sdk/crypto.js';
const STEP_SECONDS = 30;
const DIGITS = 6;
/** Steps before and after the present one that are accepted: clocks drift and people type (RFC 6238 5.2). */
const WINDOW = 1;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
/** 160 bits as RFC 4226 section 4 recommends, in base32 without padding. */
export function newTotpSecret() {
    return encodeBase32(randomBytes(20));
}
/** The code of a step; a step is 30 seconds, counted from the Unix epoch. */
export function totpCode(secret, step) {
    const counter = Buffer.alloc(8);
    counter.writeBigUInt64BE(BigInt(step));
    const digest = createHmac('sha1', decodeBase32(secret)).update(counter).digest();
    const offset = digest.readUInt8(digest.length - 1) & 0x0f;
    const number = digest.readUInt32BE(offset) & 0x7fff_ffff;
    return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}
/** The step whose code this is, or undefined. `now` in milliseconds. Tries every step, whichever matches. */
export function matchingStep(secret, code, now) {
    const present = totpStep(now);
    let match;
    for (let step = present - WINDOW; step <= present + WINDOW; step += 1) {
        if (constantTimeEqual(totpCode(secret, step), code))
            match = step;
    }
    return match;
}
export function totpStep(now) {
    return Math.floor(now / 1000 / STEP_SECONDS);
}
/** What authenticator apps read from a QR code (the key URI format). */
export function totpUri(secret, login) {
    const label = `Plugboard:${encodeURIComponent(login)}`;
    return `otpauth://totp/${label}?secret=${secret}&issuer=Plugboard&algorithm=SHA1&digits=${DIGITS}&period=${STEP_SECONDS}`;
}
/** RFC 4648 section 6. */
export function encodeBase32(bytes) {
    let text = '';
    let bits = 0;
    let buffer = 0;
    for (const byte of bytes) {
        buffer = (buffer << 8) | byte;
        bits += 8;
        for (; bits >= 5; bits -= 5)
            text += BASE32.charAt((buffer >>> (bits - 5)) & 31);
        buffer &= (1 << bits) - 1;
    }
    return bits === 0 ? text : text + BASE32.charAt((buffer << (5 - bits)) & 31);
}
function decodeBase32(text) {
    const bytes = [];
    let bits = 0;
    let buffer = 0;
    for (const character of text) {
        buffer = (buffer << 5) | BASE32.indexOf(character);
        bits += 5;
        if (bits < 8)
            continue;
        bits -= 8;
        bytes.push((buffer >>> bits) & 255);
        buffer &= (1 << bits) - 1;
    }
    return Buffer.from(bytes);
}
//# sourceMappingURL=totp.js.map