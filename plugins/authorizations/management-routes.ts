/** The tokens of all users over HTTP, for the management. */
import type { Auth, Routes } from 'plugboard/sdk';
import type { AllTokens } from './all-tokens.js';
import { TokenId, TokenPage, TokenQuery } from './management-schema.js';
import { PRIVATE } from './routes.js';

export function managementRoutes(app: Routes, auth: Auth, tokens: AllTokens): void {
  const onRequest = auth.guard('management');

  app.get(
    '/api/tokens',
    {
      onRequest,
      schema: {
        summary: 'List the tokens of all users, the newest first; a page may be short and have a next one',
        querystring: TokenQuery,
        response: { 200: TokenPage },
      },
    },
    (request, reply) => {
      reply.headers(PRIVATE);
      return tokens.page(request.query);
    },
  );

  app.delete(
    '/api/tokens/:id',
    { onRequest, schema: { summary: 'Revoke a token: it is refused at once', params: TokenId } },
    async (request, reply) => {
      await tokens.revoke(request.params.id);
      return reply.code(204).send();
    },
  );
}
