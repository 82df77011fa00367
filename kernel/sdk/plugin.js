/** The version of this contract. Raised only when an existing plugin would break. */
export const API = 1;
/** Declares a plugin. Types flow from the config schema and the token records; nothing needs a cast. */
export function definePlugin(definition) {
    return definition;
}
//# sourceMappingURL=plugin.js.map