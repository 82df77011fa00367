/** The cookie that carries a management session. */
import { parse, serialize } from 'cookie';
export const SESSION_COOKIE = 'plugboard_session';
export function readSessionCookie(request) {
    const header = request.headers.cookie;
    return header === undefined ? undefined : parse(header)[SESSION_COOKIE];
}
/** `lifetime` in milliseconds; 0 removes the cookie. Out of the reach of scripts, and not sent with what another site posts. */
export function setSessionCookie(request, reply, token, lifetime) {
    const secure = request.protocol === 'https';
    const options = {
        path: '/',
        httpOnly: true,
        sameSite: 'lax',
        secure,
        maxAge: Math.floor(lifetime / 1000),
    };
    void reply.header('set-cookie', serialize(SESSION_COOKIE, token, options));
}
//# sourceMappingURL=session-cookie.js.map