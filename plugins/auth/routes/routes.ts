/** All routes of the auth provider. */
import type { Routes } from 'plugboard/sdk';
import { appRoutes } from './apps.js';
import { keyRoutes } from './keys.js';
import { auditRoutes } from './audit.js';
import { oidcRoutes } from './oidc.js';
import { scopeRoutes } from './scopes.js';
import { sessionRoutes } from './session.js';
import { userRoutes } from './users.js';

type Parts = Parameters<typeof sessionRoutes>[1] &
  Parameters<typeof keyRoutes>[1] &
  Parameters<typeof scopeRoutes>[1] &
  Parameters<typeof userRoutes>[1] &
  Parameters<typeof auditRoutes>[1] &
  Parameters<typeof oidcRoutes>[1] &
  Parameters<typeof appRoutes>[1];

export function mountRoutes(app: Routes, parts: Parts): void {
  // Answers contain secrets that are shown once.
  app.addHook('onRequest', (_request, reply, done) => {
    void reply.header('cache-control', 'no-store');
    done();
  });
  sessionRoutes(app, parts);
  auditRoutes(app, parts);
  oidcRoutes(app, parts);
  keyRoutes(app, parts);
  scopeRoutes(app, parts);
  userRoutes(app, parts);
  appRoutes(app, parts);
}
