/** The status of every route of a plugin for a plain request, for comparing two instances. */
import type { TestServer } from './boot-test.js';

/** Milliseconds after which an endless stream counts as answered. */
const PATIENCE = 1_000;
const SAFE = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Status by method and path, relative to the prefix of the instance `owner`. `x` replaces every
 * parameter. Requests that may read carry a key with every scope; all others carry no credential, so that they
 * change nothing.
 */
export async function answersByRoute(
  server: TestServer,
  owner: string,
  prefix: string,
): Promise<Record<string, number | string>> {
  // Without the auth provider there is no command that makes keys, and no guard that asks for one.
  const key = await server.key('*').catch(() => undefined);
  const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const answers: Record<string, number | string> = {};
  for (const route of server.routes.filter((route) => route.owner === owner)) {
    const { method } = route;
    const path = route.path.replaceAll(/:[^/]+|\*/g, 'x');
    const headers = SAFE.includes(method) ? authorization : {};
    const relative = route.path.startsWith(prefix)
      ? route.path.slice(prefix.length)
      : `outside ${route.path}`;
    answers[`${method} ${relative === '' ? '/' : relative}`] = await statusOf(server, method, path, headers);
  }
  return answers;
}

async function statusOf(
  server: TestServer,
  method: string,
  url: string,
  headers: Record<string, string>,
): Promise<number | string> {
  const patience = new AbortController();
  // The timer of AbortSignal.timeout would not keep an otherwise idle process alive.
  const timer = setTimeout(() => patience.abort(), PATIENCE);
  try {
    const answer = await server.inject({ method: method as 'GET', url, headers, signal: patience.signal });
    return answer.statusCode;
  } catch (error) {
    return (error as Error).name;
  } finally {
    clearTimeout(timer);
  }
}
