/** Tokens name a service and carry its type; the id string is the identity, so two copies of the SDK agree. */
export function token(id) {
    if (!/^[a-z][\w.-]*@\d+$/.test(id)) {
        throw new TypeError(`token id "${id}" must be a dotted name and an interface version, like "events.feed@1"`);
    }
    return Object.freeze({ id, key: Symbol.for(id) });
}
/**
 * A service that must know who asks implements this method; the kernel injects its result in place of the
 * service itself. Storage uses it to give each plugin a namespace of its own.
 */
export const SCOPED = Symbol.for('plugboard.scoped');
//# sourceMappingURL=token.js.map