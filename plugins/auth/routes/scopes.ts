/** The scopes that can be granted to a key, over HTTP. */
import type { Auth, Routes, Scopes } from 'plugboard/sdk';
import { ScopeList } from '../schema.js';

export function scopeRoutes(app: Routes, { auth, declared }: { auth: Auth; declared: Scopes }): void {
  app.get(
    '/api/scopes',
    {
      onRequest: auth.guard('management'),
      schema: {
        summary: 'List the scopes that API keys may hold, by name; `*` holds all',
        tags: ['API keys'],
        response: { 200: ScopeList },
      },
    },
    () => ({ scopes: declared }),
  );
}
