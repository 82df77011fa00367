/** The wire shapes of errors. They differ because the clients of each service differ. */
import { Type } from 'typebox';
const nullableText = Type.Union([Type.String(), Type.Null()]);
/** `{ error: { message, type, code, param } }`: what the `openai` client turns into its typed errors. */
const openai = {
    name: 'openai',
    schema: Type.Object({
        error: Type.Object({
            message: Type.String(),
            type: Type.String(),
            code: nullableText,
            param: nullableText,
        }),
    }),
    render: ({ status, headers, code, message, fields }) => ({
        status,
        headers,
        body: {
            error: {
                message,
                type: fields.type ?? openaiType(status),
                code,
                param: fields.param ?? null,
                ...fields.extra,
            },
        },
    }),
};
function openaiType(status) {
    if (status === 401)
        return 'authentication_error';
    if (status === 403)
        return 'permission_error';
    if (status === 429)
        return 'rate_limit_error';
    return status >= 500 ? 'server_error' : 'invalid_request_error';
}
/** `{ error: { code, message, type?, doc_url?, user_message?, ... } }` */
const v2 = {
    name: 'v2',
    schema: Type.Object({ error: Type.Object({ code: Type.String(), message: Type.String() }) }),
    render: ({ status, headers, code, message, fields }, request) => ({
        status,
        headers: { 'request-id': request.id, ...headers },
        body: {
            error: {
                code,
                message,
                ...(fields.type === undefined ? {} : { type: fields.type }),
                ...(fields.documentationUrl === undefined ? {} : { doc_url: fields.documentationUrl }),
                ...(fields.userMessage === undefined ? {} : { user_message: fields.userMessage }),
                ...fields.extra,
            },
        },
    }),
};
/** Sentences that clients of this dialect know, for the errors that are the kernel's own. */
const GITHUB_SENTENCES = {
    not_found: 'Not Found',
    method_not_allowed: 'Not Found',
    malformed_json: 'Problems parsing JSON',
    internal: 'Server Error',
};
/** `{ message, errors?, documentation_url }` */
const github = {
    name: 'github',
    schema: Type.Object({ message: Type.String(), documentation_url: Type.String() }),
    render: ({ status, headers, code, message, fields }) => ({
        status: code === 'method_not_allowed' ? 404 : status,
        headers,
        body: {
            message: GITHUB_SENTENCES[code] ?? message,
            ...(fields.errors === undefined ? {} : { errors: fields.errors }),
            documentation_url: fields.documentationUrl ?? '',
            ...fields.extra,
        },
    }),
};
/** `{ code, message, details, hint }`, all four always. */
const svc = {
    name: 'svc',
    schema: Type.Object({
        code: Type.String(),
        message: Type.String(),
        details: Type.Unknown(),
        hint: nullableText,
    }),
    render: ({ status, headers, code, message, fields }) => ({
        status,
        headers,
        body: { code, message, details: fields.details ?? null, hint: fields.hint ?? null, ...fields.extra },
    }),
};
export const dialects = { openai, v2, github, svc };
//# sourceMappingURL=dialects.js.map