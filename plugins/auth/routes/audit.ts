/** The audit log over HTTP. */
import type { Audit, Auth, Routes } from 'plugboard/sdk';
import { AuditList, AuditQuery } from './audit-schema.js';

export interface AuditParts {
  readonly auth: Auth;
  readonly audit: Audit;
}

export function auditRoutes(app: Routes, { auth, audit }: AuditParts): void {
  app.get(
    '/-/audit',
    {
      onRequest: auth.guard('management'),
      schema: {
        summary: 'List who did what to the server, newest first',
        tags: ['Auth'],
        querystring: AuditQuery,
        response: { 200: AuditList },
      },
    },
    (request) => audit.list(request.query),
  );
}
