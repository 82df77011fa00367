/** The plugin that an encapsulated scope of Fastify belongs to: its errors, metrics, documentation and log carry the plugin. */
import type { FastifyBaseLogger } from 'fastify';
import type { Instance } from '../../boot/plan/order.js';
import type { Routes } from '../../sdk/http/routes.js';

const OWNER = Symbol('plugboard.owner');

interface Owner {
  readonly instance: Instance;
  readonly log: FastifyBaseLogger;
}

/** Scopes inside of `scope` inherit its owner. */
export function setOwner(scope: Routes, owner: Owner): void {
  Object.assign(scope, { [OWNER]: owner });
}

/** Undefined for the routes of the server itself. */
export function ownerOf(scope: unknown): Owner | undefined {
  return (scope as { [OWNER]?: Owner })[OWNER];
}
