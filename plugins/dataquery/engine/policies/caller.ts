/** The caller, as policies and grants know it. */
import type { ClaimPath } from '../catalog/model.js';
import { claimAt } from '../catalog/claim-path.js';

export interface Caller {
  /** For each caller's share of common resources; not visible to policies. */
  readonly id: string;
  readonly roles: readonly string[];
  /** Of a verified token. */
  readonly claims: Readonly<Record<string, unknown>>;
  /** Above policies and grants. */
  readonly bypasses: boolean;
  /** Not authenticated: a denial is 401. */
  readonly anonymous: boolean;
}

/** For the server's own work. */
export const SERVER: Caller = { id: 'server', roles: [], claims: {}, bypasses: true, anonymous: false };

/** Every caller has it. */
export const PUBLIC = 'public';

/** What a catalog's policies and grants distinguish callers by. */
export interface Distinctions {
  readonly roles: ReadonlySet<string>;
  readonly claims: readonly ClaimPath[];
}

/** Equal for callers that may see and do the same; undefined if it would be long. */
export function keyOf({ roles, claims }: Distinctions, caller: Caller): string | undefined {
  const own = [...new Set(caller.roles.filter((role) => roles.has(role)))].sort();
  const values = claims.map((path) => claimAt(caller.claims, path) ?? null);
  const key = JSON.stringify([own, caller.anonymous, values]);
  return key.length <= LONGEST_KEY ? key : undefined;
}

const LONGEST_KEY = 4_096;
