/** Where vendors' clients put their key: `Authorization` and `x-api-key` are read by every guard, these are not. */
import type { Request } from 'plugboard/sdk';

/** Passes the key of Azure's and Google's clients to the guard. */
export function adoptKey(request: Request, _reply: unknown, done: () => void): void {
  const { headers } = request.raw;
  if (headers.authorization === undefined && headers['x-api-key'] === undefined) {
    const named = headers['api-key'] ?? headers['x-goog-api-key'] ?? (request.query as { key?: unknown }).key;
    if (typeof named === 'string') headers['x-api-key'] = named;
  }
  done();
}
