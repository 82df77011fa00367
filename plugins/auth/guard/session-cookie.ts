/** The cookie that carries a management session. */
import { parse, serialize } from 'cookie';
import type { Reply, Request } from 'plugboard/sdk';

export const SESSION_COOKIE = 'plugboard_session';

export function readSessionCookie(request: Request): string | undefined {
  const header = request.headers.cookie;
  return header === undefined ? undefined : parse(header)[SESSION_COOKIE];
}

/** `lifetime` in milliseconds; 0 removes the cookie. Not readable by scripts, not sent with cross-site posts. */
export function setSessionCookie(request: Request, reply: Reply, token: string, lifetime: number): void {
  const secure = request.protocol === 'https';
  const options = {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure,
    maxAge: Math.floor(lifetime / 1000),
  } as const;
  void reply.header('set-cookie', serialize(SESSION_COOKIE, token, options));
}
