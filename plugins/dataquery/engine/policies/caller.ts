/** Who asks, as policies and grants know it. */
import type { ClaimPath } from '../catalog/model.js';
import { claimAt } from '../catalog/claim-path.js';

export interface Caller {
  /** Where each caller has a share of what all use; policies do not know it. */
  readonly id: string;
  readonly roles: readonly string[];
  /** Of a verified token. */
  readonly claims: Readonly<Record<string, unknown>>;
  /** Above policies and grants. */
  readonly bypasses: boolean;
  /** Nobody in particular: what is denied to them is 401. */
  readonly anonymous: boolean;
}

/** The server's own work. */
export const SERVER: Caller = { id: 'server', roles: [], claims: {}, bypasses: true, anonymous: false };

/** Every caller has it. */
export const PUBLIC = 'public';

/** What a catalog's policies and grants tell callers apart by. */
export interface Distinctions {
  readonly roles: ReadonlySet<string>;
  readonly claims: readonly ClaimPath[];
}

/** Equal for callers that see and may do the same; undefined where it would be long. */
export function keyOf({ roles, claims }: Distinctions, caller: Caller): string | undefined {
  const own = [...new Set(caller.roles.filter((role) => roles.has(role)))].sort();
  const values = claims.map((path) => claimAt(caller.claims, path) ?? null);
  const key = JSON.stringify([own, caller.anonymous, values]);
  return key.length <= LONGEST_KEY ? key : undefined;
}

const LONGEST_KEY = 4_096;
