/** `/api/settings/external-store`. */
import type { Auth, Routes } from 'plugboard/sdk';
import type { ExternalIndex } from '../../engine/external/external-index.js';
import { ExternalStore, ExternalStorePatch } from '../../engine/external/store-settings.js';
import { ExternalHealth, ExternalQuery, ExternalResults } from '../schema/external-store.js';

export interface ExternalStoreRoutes {
  readonly auth: Auth;
  readonly external: ExternalIndex;
  /** Starts synchronisation with the store soon. */
  syncSoon(): void;
}

export function externalStoreRoutes(app: Routes, { auth, external, syncSoon }: ExternalStoreRoutes): void {
  const onRequest = auth.guard('management');
  const tags = ['Settings'];
  const path = '/api/settings/external-store';

  app.get(
    path,
    {
      onRequest,
      schema: {
        summary: 'Read the settings of the external vector store',
        tags,
        response: { 200: ExternalStore },
      },
    },
    async () => {
      const { shape } = await external.store.read();
      return shape;
    },
  );

  app.put(
    path,
    {
      onRequest,
      schema: {
        summary: 'Change settings of the external vector store',
        tags,
        body: ExternalStorePatch,
        response: { 200: ExternalStore },
      },
    },
    async (request) => {
      const after = await external.store.change(request.body);
      syncSoon();
      return after.shape;
    },
  );

  app.get(
    `${path}/health`,
    {
      onRequest,
      schema: {
        summary: 'Check that the external vector store answers',
        tags,
        response: { 200: ExternalHealth },
      },
    },
    () => external.health(),
  );

  app.post(
    `${path}/search`,
    {
      onRequest,
      config: { readOnly: true },
      schema: {
        summary: 'Search the external vector store with a text',
        tags,
        body: ExternalQuery,
        response: { 200: ExternalResults },
      },
    },
    (request) => external.test(request.body.query, request.body.topK, auth.principal(request)),
  );
}
