/** Calls to the server as the logged-in person, and who that is. */
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { call, queries, type Person, type ApiRequest } from 'plugboard/console';

/** The path prefix of the server, from the document. */
export const root = document.documentElement.dataset['root'] ?? '';

export interface Provider {
  readonly name: string;
  readonly label: string;
  readonly login: string;
}

interface Status extends Person {
  readonly authenticated: boolean;
  readonly requireLogin: boolean;
  readonly csrfToken: string | null;
  readonly providers: readonly Provider[];
}

export interface ListedPage {
  readonly plugin: string;
  readonly prefix: string;
  readonly id: string;
  readonly title: string;
  readonly group: string;
  readonly module: string;
  readonly css: readonly string[];
}

export interface Session extends Status {
  readonly entered: boolean;
  readonly pages: readonly ListedPage[];
}

const SESSION = ['session'];
let csrfToken: string | null = null;

/** `fetch` of the page context. An ended session leads to the login. */
export async function fetchAsPerson(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  if (csrfToken !== null && (init.method ?? 'GET') !== 'GET') headers.set('x-csrf-token', csrfToken);
  const response = await fetch(`${root}${path}`, { credentials: 'same-origin', ...init, headers });
  if (response.status === 401 && csrfToken !== null) void queries.invalidateQueries({ queryKey: SESSION });
  return response;
}

export function ask<T>(request: ApiRequest): Promise<T> {
  return call<T>({ fetch: fetchAsPerson }, request);
}

export function useSession(): UseQueryResult<Session> {
  return useQuery({ queryKey: SESSION, queryFn: readSession, staleTime: Infinity });
}

async function readSession(): Promise<Session> {
  const status = await ask<Status>({ path: '/api/auth/status' });
  ({ csrfToken } = status);
  const entered = status.authenticated || !status.requireLogin;
  if (!entered) return { ...status, entered, pages: [] };
  const list = new URL('pages', document.baseURI).pathname.slice(root.length);
  const { pages } = await ask<{ pages: readonly ListedPage[] }>({ path: list });
  return { ...status, entered, pages };
}

export async function logIn(body: { login?: string; password: string; otp?: string }): Promise<void> {
  await ask({ method: 'POST', path: '/api/auth/login', body });
  await queries.resetQueries();
}

export async function logOut(): Promise<void> {
  await ask({ method: 'POST', path: '/api/auth/logout' });
  // The next person must not see what this one saw.
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION[0] });
  await queries.resetQueries({ queryKey: SESSION });
}
