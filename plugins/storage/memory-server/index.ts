/** A MongoDB that lives as long as the server, for tests and trials. */
import { CLOCK, definePlugin, STORAGE, Type } from 'plugboard/sdk';
import mongodb from '../mongodb/index.js';
import { startMemoryServer } from './start.js';

export default definePlugin({
  name: 'memory-server',
  api: 1,
  summary: 'Starts a MongoDB of its own and forgets everything at the stop.',
  config: Type.Object(
    {
      binary: Type.Optional(
        Type.String({ description: 'Path of a mongod. Default: MONGOMS_SYSTEM_BINARY, then the PATH.' }),
      ),
      download: Type.Boolean({ default: true, description: 'Download a binary, once, where there is none.' }),
      version: Type.Optional(Type.String({ description: 'The version to download.' })),
    },
    { additionalProperties: false },
  ),
  needs: { clock: CLOCK },
  provides: { storage: STORAGE },
  async setup(context) {
    const { binary, download, version } = context.config;
    const server = await startMemoryServer({ binary, download, version });
    context.onStop(() => server.stop());
    context.log.warn('this store forgets everything when the server stops');
    return mongodb.setup({
      ...context,
      config: {
        url: server.url,
        database: 'plugboard',
        readPreference: 'primary',
        pool: { min: 0, max: 50 },
        timeouts: {
          connect: 5000,
          serverSelection: 5000,
          socket: 30_000,
          queue: 5000,
          majority: 10_000,
          transaction: 15_000,
        },
      },
    });
  },
});
