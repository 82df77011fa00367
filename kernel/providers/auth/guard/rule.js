import { SESSION_COOKIE } from './session-cookie.js';
export const MANAGE = 'manage';
export function makeRule(credentials, options = {}) {
    const { optional = false, scope } = options;
    const takes = (credential) => credentials.includes(credential);
    const needsManage = takes('management') && !takes('bearer');
    return {
        credentials,
        optional,
        scope,
        takesKeys: takes('bearer') || takes('management'),
        takesTokens: takes('token'),
        takesSessions: takes('management'),
        takesUsers: takes('basicUser'),
        takesApps: takes('basicApp'),
        keyScopes: [...(scope === undefined ? [] : [scope]), ...(needsManage ? [MANAGE] : [])],
        accepted: credentials.map((credential) => ACCEPTED[credential]).join(', or '),
        schemes: Object.assign({}, ...credentials.map((credential) => SCHEMES[credential])),
    };
}
/** The headers of a 401: one challenge for each scheme that the route takes (RFC 9110 11.6.1, RFC 6750 3). */
export function challenge(rule, error) {
    const bearer = rule.takesKeys || rule.takesTokens;
    const basic = rule.takesUsers || rule.takesApps;
    const challenges = [
        ...(bearer ? [`Bearer realm="plugboard"${error === undefined ? '' : `, error="${error}"`}`] : []),
        ...(basic ? ['Basic realm="plugboard", charset="UTF-8"'] : []),
    ];
    return { headers: { 'www-authenticate': challenges.join(', ') } };
}
const ACCEPTED = {
    bearer: 'an API key ("Authorization: Bearer pb_..." or "X-API-Key: pb_...")',
    token: 'an access token ("Authorization: Bearer ...")',
    management: 'a session (POST /api/auth/login) or an API key with the scope "manage"',
    basicUser: 'a login and password (Basic)',
    basicApp: 'a client id and client secret (Basic)',
};
const apiKey = {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key: `Authorization: Bearer pb_...`.',
};
const SCHEMES = {
    bearer: {
        apiKey,
        apiKeyHeader: {
            type: 'apiKey',
            in: 'header',
            name: 'X-API-Key',
            description: 'An API key in a header of its own.',
        },
    },
    token: {
        accessToken: {
            type: 'http',
            scheme: 'bearer',
            description: 'An access token issued by this server; `Authorization: token ...` is understood too.',
        },
    },
    management: {
        session: {
            type: 'apiKey',
            in: 'cookie',
            name: SESSION_COOKIE,
            description: "A management session, begun by `POST /api/auth/login`. State-changing calls also need a same-origin `Origin`, or the session's token in `X-CSRF-Token`.",
        },
        apiKey,
    },
    basicUser: {
        user: {
            type: 'http',
            scheme: 'basic',
            description: 'Login and password; users with two-factor authentication add `X-GitHub-OTP`.',
        },
    },
    basicApp: {
        application: { type: 'http', scheme: 'basic', description: 'Client id and client secret.' },
    },
};
//# sourceMappingURL=rule.js.map