/** HTTP routes of memory; each group has its own file. */
import type { Routes } from 'plugboard/sdk';
import { engineRoutes, type EngineRoutes } from './front/api/engine.js';
import { entryRoutes, type EntryRoutes } from './front/api/entries.js';
import { extractionRoutes, type ExtractionRoutes } from './front/api/extractions.js';
import { externalStoreRoutes, type ExternalStoreRoutes } from './front/api/external-store.js';
import { settingsRoutes, type SettingsRoutes } from './front/api/settings.js';
import { mcpRoutes, type McpRoutes } from './front/mcp/routes.js';
import { mem0Routes, type Mem0Routes } from './front/mem0/routes.js';

export type MemoryRoutes = EntryRoutes &
  EngineRoutes &
  ExtractionRoutes &
  SettingsRoutes &
  ExternalStoreRoutes &
  Mem0Routes &
  McpRoutes;

export function routes(app: Routes, parts: MemoryRoutes): void {
  entryRoutes(app, parts);
  engineRoutes(app, parts);
  extractionRoutes(app, parts);
  settingsRoutes(app, parts);
  externalStoreRoutes(app, parts);
  mem0Routes(app, parts);
  mcpRoutes(app, parts);
}
