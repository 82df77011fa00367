/** Versions and labels of presets over HTTP. */
import { sendInTurns, type Routes } from 'plugboard/sdk';
import type { KeptRoutes } from './parts.js';
import { PresetId } from '../schema.js';
import { LabelBody, LabelPath, Version, VersionBody, VersionList, VersionPath } from '../versions/schema.js';

const LIST = '/api/playground/presets/:id/versions';
const ONE = `${LIST}/:version`;
const LABEL = '/api/playground/presets/:id/labels/:label';

export function versionRoutes(app: Routes, { core, owner, versions }: KeptRoutes): void {
  app.get(
    LIST,
    {
      ...core,
      schema: {
        summary: 'List the versions of a preset, the newest first',
        params: PresetId,
        response: { 200: VersionList },
      },
    },
    async (request, reply) =>
      sendInTurns(reply, async () => ({ versions: await versions.list(owner(request), request.params.id) })),
  );

  app.post(
    LIST,
    {
      ...core,
      schema: {
        summary: 'Keep a preset as a version that never changes',
        params: PresetId,
        body: VersionBody,
        response: { 201: Version },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await versions.add(owner(request), request.params.id, request.body)),
  );

  app.get(
    ONE,
    {
      ...core,
      schema: {
        summary: 'Read a version by its number or label',
        params: VersionPath,
        response: { 200: Version },
      },
    },
    (request) => versions.get(owner(request), request.params.id, request.params.version),
  );

  app.delete(
    ONE,
    { ...core, schema: { summary: 'Delete a version that has no label', params: VersionPath } },
    async (request, reply) => {
      await versions.delete(owner(request), request.params.id, request.params.version);
      return reply.code(204).send();
    },
  );

  app.put(
    LABEL,
    {
      ...core,
      schema: {
        summary: 'Move a label to a version',
        params: LabelPath,
        body: LabelBody,
        response: { 200: Version },
      },
    },
    (request) => {
      const { id, label } = request.params;
      return versions.label(owner(request), id, label, request.body.version);
    },
  );

  app.delete(
    LABEL,
    { ...core, schema: { summary: 'Delete a label', params: LabelPath } },
    async (request, reply) => {
      await versions.unlabel(owner(request), request.params.id, request.params.label);
      return reply.code(204).send();
    },
  );
}
