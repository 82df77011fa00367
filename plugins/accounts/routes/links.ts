/** Account links over HTTP. */
import { Type, type Auth, type Routes } from 'plugboard/sdk';
import { FIRST_PAGE } from '../links/link.js';
import type { Links } from '../links/links.js';
import { AccountLink, LinkBody } from '../links/schema.js';
import type { Platforms } from '../platform/platforms.js';
import { access, callerOf, prefixOf, send, shapeOf, writing } from './request.js';

export interface LinkRouteParts {
  readonly auth: Auth;
  readonly platforms: Platforms;
  readonly links: Links;
  readonly defaultVersion: string;
}

export function linkRoutes(app: Routes, { auth, platforms, links, defaultVersion }: LinkRouteParts): void {
  const onRequest = [auth.guard('bearer', { scope: 'accounts' }), access(auth, platforms, defaultVersion)];
  app.post(
    '/v2/core/account_links',
    {
      ...writing(onRequest),
      schema: {
        summary: 'Make a link to a page on which people complete their account themselves',
        querystring: Type.Object({}, { additionalProperties: false }),
        body: LinkBody,
        response: { 200: AccountLink },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request, reply);
      shapeOf(request)();
      const base = `${request.protocol}://${request.host}${prefixOf(request)}${FIRST_PAGE}/`;
      return send(reply, await links.create(caller, request.body, (key) => `${base}${key}`));
    },
  );
}
