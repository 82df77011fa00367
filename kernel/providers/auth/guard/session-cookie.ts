/** The cookie that carries a management session. */
import type {} from '@fastify/cookie';
import type { Reply, Request } from '../../../sdk/routes.js';

export const SESSION_COOKIE = 'plugboard_session';

export function readSessionCookie(request: Request): string | undefined {
  return request.cookies[SESSION_COOKIE];
}

/** `lifetime` in milliseconds; 0 removes the cookie. */
export function setSessionCookie(request: Request, reply: Reply, token: string, lifetime: number): void {
  void reply.setCookie(SESSION_COOKIE, token, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: request.protocol === 'https',
    maxAge: Math.floor(lifetime / 1000),
  });
}
