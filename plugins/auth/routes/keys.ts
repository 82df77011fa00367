/** API keys over HTTP. */
import type { Auth, Routes } from 'plugboard/sdk';
import { errors } from '../errors.js';
import { heldTo } from './held-to.js';
import type { KeyLookup } from '../keys/lookup.js';
import type { ApiKeys } from '../keys/api-keys.js';
import type { Grant } from '../keys/grant.js';
import { IdParams, IssuedKey, Key, KeyList, NewKeyBody } from '../schema.js';

export interface KeyParts {
  readonly auth: Auth;
  readonly keys: ApiKeys;
  readonly grant: Grant;
  readonly lookup: KeyLookup;
}

export function keyRoutes(app: Routes, { auth, keys, grant, lookup }: KeyParts): void {
  const onRequest = auth.guard('management', { members: true });
  const tags = ['API keys'];

  app.get(
    '/api/keys',
    { onRequest, schema: { summary: 'List API keys, newest first', tags, response: { 200: KeyList } } },
    async (request) => ({ keys: await keys.list(heldTo(auth, request)) }),
  );

  app.post(
    '/api/keys',
    {
      onRequest,
      schema: {
        summary: 'Create an API key, shown once; a caller gives only scopes that it holds itself',
        tags,
        body: NewKeyBody,
        response: { 201: IssuedKey },
      },
    },
    async (request, reply) => {
      const { expiresAt = null, ...wanted } = request.body;
      grant.checkForm(wanted);
      grant.checkKnown(wanted.scopes);
      grant.checkHeld(wanted.scopes, auth.principal(request));
      const createdBy = heldTo(auth, request);
      // A member's key is one of its own: the tenants are the administrator's to give.
      if (createdBy !== undefined && wanted.owner != null) throw errors.administrator_only();
      const key = await keys.create({
        ...wanted,
        ...(createdBy !== undefined && { createdBy }),
        expiresAt: expiresAt === null ? null : new Date(expiresAt),
      });
      return reply.code(201).send(key);
    },
  );

  app.get(
    '/api/keys/:id',
    { onRequest, schema: { summary: 'Read an API key', tags, params: IdParams, response: { 200: Key } } },
    async (request) => keys.read(request.params.id, heldTo(auth, request)),
  );

  app.delete(
    '/api/keys/:id',
    { onRequest, schema: { summary: 'Revoke an API key', tags, params: IdParams, response: { 200: Key } } },
    async (request) => {
      const key = await keys.revoke(request.params.id, heldTo(auth, request));
      lookup.forget(key.id);
      return key;
    },
  );
}
