/** The cookie that carries a management session. */
import type { CookieSerializeOptions } from '@fastify/cookie';
import type { Reply, Request } from '../../../sdk/routes.js';

export const SESSION_COOKIE = 'plugboard_session';

/** Out of the reach of scripts, and not sent with what another site posts. */
const OPTIONS: CookieSerializeOptions = { path: '/', httpOnly: true, sameSite: 'lax' };

export function readSessionCookie(request: Request): string | undefined {
  return request.cookies[SESSION_COOKIE];
}

/** `lifetime` in milliseconds; 0 removes the cookie. */
export function setSessionCookie(request: Request, reply: Reply, token: string, lifetime: number): void {
  const secure = request.protocol === 'https';
  void reply.setCookie(SESSION_COOKIE, token, { ...OPTIONS, secure, maxAge: Math.floor(lifetime / 1000) });
}
