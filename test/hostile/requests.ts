/** How the files of the corpus make their requests. */
import type { HostileCase } from './case.js';

export const JSON_HEADERS = { 'content-type': 'application/json' };

export function many<T>(count: number, one: (at: number) => T): T[] {
  return Array.from({ length: count }, (_, at) => one(at));
}

/** The texts with something between them. */
export function joined(count: number, one: (at: number) => string, between = ','): string {
  return many(count, one).join(between);
}

/** A body of JSON. */
export function call(
  name: string,
  path: string,
  scope: string,
  body: (at: number) => unknown,
  more: Partial<HostileCase> = {},
): HostileCase {
  return {
    name,
    method: 'POST',
    path,
    scope,
    headers: JSON_HEADERS,
    body: (at) => JSON.stringify(body(at)),
    ...more,
  };
}

/** Of the data API. */
export function readRows(name: string, query: string, more: Partial<HostileCase> = {}): HostileCase {
  return { name, path: `/data/${query}`, scope: 'data:read', ...more };
}
