/** API keys over HTTP. */
import type { Auth, Clock, Routes } from 'plugboard/sdk';
import { errors } from '../errors.js';
import { heldTo } from './held-to.js';
import type { KeyLookup } from '../keys/lookup.js';
import { inADay } from '../keys/overlap.js';
import type { ApiKeys } from '../keys/api-keys.js';
import type { Grant } from '../keys/grant.js';
import { IdParams, IssuedKey, Key, KeyList, KeyQuery, NewKeyBody, RotateBody } from '../schema.js';

export interface KeyParts {
  readonly auth: Auth;
  readonly keys: ApiKeys;
  readonly grant: Grant;
  readonly lookup: KeyLookup;
  readonly clock: Clock;
}

export function keyRoutes(app: Routes, { auth, keys, grant, lookup, clock }: KeyParts): void {
  const onRequest = auth.guard('management', { members: true });
  const tags = ['API keys'];

  app.get(
    '/api/keys',
    {
      onRequest,
      schema: {
        summary: 'List and search API keys, newest first',
        tags,
        querystring: KeyQuery,
        response: { 200: KeyList },
      },
    },
    (request) => keys.page(request.query, heldTo(auth, request)),
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
      // A member's key is its own tenant: only administrators assign tenants.
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

  app.post(
    '/api/keys/:id/rotate',
    {
      onRequest,
      schema: {
        summary: 'Give an API key another text, shown once; the text before works for a while',
        tags,
        params: IdParams,
        body: RotateBody,
        response: { 200: IssuedKey },
      },
    },
    async (request) => {
      const { id } = request.params;
      const maker = heldTo(auth, request);
      // Whoever gets the text may do what the key may.
      grant.checkHeld((await keys.read(id, maker)).scopes, auth.principal(request));
      const { until } = request.body;
      const key = await keys.rotate(id, until === undefined ? inADay(clock.now()) : new Date(until), maker);
      lookup.forget(id);
      return key;
    },
  );

  app.delete(
    '/api/keys/:id/previous',
    {
      onRequest,
      schema: {
        summary: 'End the text that a rotation left, at once',
        tags,
        params: IdParams,
        response: { 200: Key },
      },
    },
    async (request) => {
      const key = await keys.endPrevious(request.params.id, heldTo(auth, request));
      lookup.forget(key.id);
      return key;
    },
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
