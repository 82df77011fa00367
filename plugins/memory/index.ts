/** The plugin: its name, its dependencies and the wiring of its parts. */
import { join, resolve } from 'node:path';
import {
  AUTH,
  CHANGES,
  CLOCK,
  definePlugin,
  JOBS,
  makeFolder,
  MODELS,
  RATE_LIMIT,
  SECRETS,
  STORAGE,
  UserError,
} from 'plugboard/sdk';
import { createMemory } from './service.js';
import { exportCommand } from './commands/export.js';
import { importCommand } from './commands/import.js';
import { restoreCommand } from './commands/restore.js';
import { loadModel2Vec } from './engine/embedding/model2vec.js';
import { learn } from './front/chat/learn.js';
import { recall } from './front/chat/recall.js';
import { mcpErrors } from './front/mcp/dialect.js';
import { mem0Dialect } from './front/mem0/dialect.js';
import { routes } from './routes.js';
import { Config } from './schema.js';
import { LazyTransformers } from './engine/sources/lazy-transformers.js';
import { peopleData } from './people.js';

export default definePlugin({
  name: 'memory',
  api: 1,
  summary: 'conversational memory: entries, retrieval by words and vectors, settings',
  config: Config,
  needs: { storage: STORAGE, auth: AUTH, secrets: SECRETS, clock: CLOCK, jobs: JOBS },
  wants: { models: MODELS, limits: RATE_LIMIT, changes: CHANGES },
  scopes: { memory: 'write, list, search and delete its own memories' },
  dialect: 'openai',
  dialectOf: (path) => (/^\/mcp\/?$/.test(path) ? mcpErrors : mem0Dialect(path)),
  async setup({ id, config, baseDir, needs, wants: { models, limits, changes }, log, signal, onStop }) {
    const { auth, clock, jobs } = needs;
    const { staticModelDir, indexDirectory } = config;
    const model2vec =
      staticModelDir && (await loadModel2Vec(resolve(baseDir, staticModelDir)).catch(mistake));
    const transformers =
      config.transformers &&
      new LazyTransformers({
        modelsDirectory: resolve(baseDir, config.transformers.directory),
        model: config.transformers.model,
        ...(config.transformers.precision && { precision: config.transformers.precision }),
      });
    const kept = indexDirectory === undefined ? needs.storage.directory : resolve(baseDir, indexDirectory);
    if (indexDirectory !== undefined && kept !== undefined) makeFolder(kept, 0o700);
    const memory = createMemory({
      ...needs,
      config,
      log,
      signal,
      models,
      changes,
      static: model2vec || undefined,
      transformers,
      wordsFile: kept && join(kept, `${id}.words`),
    });
    onStop(() => memory.close());
    if (config.extraction !== undefined && models === undefined)
      throw new UserError('extraction: its model is asked through the plugin router, which is not enabled');
    // Before recall: memories put into a chat are no source of facts.
    if (models !== undefined && memory.learn !== undefined)
      onStop(models.interceptChat(learn({ auth, log, ...memory.learn })));
    if (models !== undefined) onStop(models.interceptChat(recall({ auth, log, ...memory.recall })));
    return {
      routes: (app) =>
        routes(app, { auth, limit: limits?.category('memory'), clock, models, jobs, ...memory.routes }),
      pages: [
        {
          console: 1,
          id: 'entries',
          title: 'Memory',
          group: 'Data',
          scope: 'memory',
          module: new URL('./console/memory.page.js', import.meta.url),
        },
      ],
      start: () => memory.start(),
      check: () => memory.check(),
      people: peopleData(memory),
      commands: [
        exportCommand(memory.entries, clock),
        importCommand(memory.entries),
        restoreCommand(memory.entries),
      ],
    };
  },
});

function mistake(cause: Error): never {
  throw new UserError(`staticModelDir: ${cause.message}`, { cause });
}
