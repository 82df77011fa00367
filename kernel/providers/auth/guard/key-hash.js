import { sha256 } from '../../../sdk/crypto.js';
import { readCredential } from './credential.js';
/** A client mostly sends one key over a connection: reading and hashing it each time was half of a guard's cost. */
const LAST = Symbol('plugboard.lastKey');
/** Undefined when the request carries no API key. */
export function keyHash({ headers, raw }) {
    const { authorization } = headers;
    const connection = raw.socket;
    const last = connection[LAST];
    if (last !== undefined && last.authorization === authorization)
        return last.hash;
    const sent = readCredential(headers, undefined);
    if (sent.kind !== 'key')
        return undefined;
    const hash = sha256(sent.key);
    if (authorization !== undefined)
        connection[LAST] = { authorization, hash };
    return hash;
}
//# sourceMappingURL=key-hash.js.map