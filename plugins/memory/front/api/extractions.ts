/** `/api/memory/extractions`: the conversations that were read for facts, with what was refused and why. */
import { limited, type Auth, type Collection, type RateLimitCategory, type Routes } from 'plugboard/sdk';
import type { ExtractionDocument } from '../../engine/extraction/record.js';
import { Extractions, ExtractionQuery } from '../schema/extraction.js';
import { guardOwner, reachOf, within } from './owner.js';
import { presentExtraction } from './present.js';

export interface ExtractionRoutes {
  readonly auth: Auth;
  readonly limit: RateLimitCategory | undefined;
  readonly records: Collection<ExtractionDocument>;
}

export function extractionRoutes(app: Routes, { auth, limit, records }: ExtractionRoutes): void {
  app.get(
    '/api/memory/extractions',
    {
      ...limited(guardOwner(auth), limit),
      schema: {
        summary: 'List the conversations that were read for facts, and what was refused and why',
        tags: ['Memory'],
        querystring: ExtractionQuery,
        response: { 200: Extractions },
      },
    },
    async (request) => {
      const { limit: most, apiKeyId, userId } = within(reachOf(auth, request), request.query);
      const filter = { ...(apiKeyId && { apiKeyId }), ...(userId && { userId }) };
      const found = records.find(filter, {
        sort: { createdAt: -1, _id: 1 },
        limit: most,
        projection: { turns: 0 },
      });
      return { data: (await found.toArray()).map(presentExtraction) };
    },
  );
}
