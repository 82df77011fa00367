/** Errors that a client may see: one class, one table of codes per plugin, four wire shapes. */
const BRAND = Symbol.for('plugboard.ServiceError');
/** An error made for the client: what it says is sent. Anything else that is thrown becomes a 500 without its text. */
export class ServiceError extends Error {
    name = 'ServiceError';
    code;
    status;
    headers;
    fields;
    constructor(code, options) {
        const { status, message, headers, cause, ...fields } = options;
        super(message, cause === undefined ? undefined : { cause });
        this.code = code;
        this.status = status;
        this.headers = headers ?? {};
        this.fields = fields;
    }
    get [BRAND]() {
        return true;
    }
}
/** By brand and not by instanceof, so that an error of another copy of the SDK is one too. */
export function isServiceError(value) {
    return typeof value === 'object' && value !== null && BRAND in value;
}
/** Under this key a table made by `defineErrors` keeps its rows, for the reference page. */
export const ERROR_ROWS = Symbol.for('plugboard.errorRows');
/**
 * Makes a plugin's table of errors: `const errors = defineErrors({ preset_not_found: {...} })`, then
 * `throw errors.preset_not_found({ values: { id } })`.
 */
export function defineErrors(rows) {
    const makers = Object.entries(rows).map(([code, row]) => [code, makeError(code, row)]);
    return Object.freeze({ ...Object.fromEntries(makers), [ERROR_ROWS]: rows });
}
function makeError(code, row) {
    return ({ values = {}, message, status, ...fields } = {}) => new ServiceError(code, {
        ...(row.type === undefined ? {} : { type: row.type }),
        ...fields,
        status: status ?? row.status,
        message: message ?? row.message.replace(/\{(\w+)\}/g, (_, name) => String(values[name])),
    });
}
//# sourceMappingURL=errors.js.map