/** API keys in the server's answers. */
export interface Key {
  readonly id: string;
  readonly name: string;
  readonly preview: string;
  readonly scopes: readonly string[];
  readonly owner: string | null;
  readonly addresses: readonly string[];
  readonly publishable: boolean;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
  readonly revokedAt: string | null;
}

export interface IssuedKey extends Key {
  /** The secret, only in the answer that creates it. */
  readonly key: string;
}

export interface Scope {
  readonly name: string;
  readonly summary: string;
  readonly plugin: string;
}

export type KeyState = 'active' | 'revoked' | 'expired';

export function stateOf({ revokedAt, expiresAt }: Key, now = Date.now()): KeyState {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && Date.parse(expiresAt) <= now ? 'expired' : 'active';
}

export const STATE_COLOURS = { active: 'green', revoked: 'gray', expired: 'yellow' } as const;
