/** MongoDB as the store: for production and for more than one machine. */
import { CLOCK, definePlugin, scoped, STORAGE } from '../../../sdk/index.js';
import { transferCommands } from '../transfer/commands.js';
import { assertNoImportRuns } from '../transfer/import.js';
import { connect } from './connection.js';
import { Config } from './schema.js';
import { MongoStorage } from './storage.js';

export default definePlugin({
  name: 'mongodb',
  api: 1,
  summary: 'Stores documents in MongoDB 6.0 or newer.',
  config: Config,
  needs: { clock: CLOCK },
  provides: { storage: STORAGE },
  async setup({ config, baseDir, needs, log, onStop }) {
    const connection = await connect(config, baseDir);
    onStop(() => connection.client.close());
    if (connection.deployment === 'standalone')
      log.warn(
        'this MongoDB is a standalone server: transactions are refused and change feeds hold this server’s own ' +
          'writes only; start mongod with --replSet to have both',
      );
    const storage = new MongoStorage({
      connection,
      clock: needs.clock,
      log,
      transactionDeadline: config.timeouts.transaction,
    });
    const transferable = storage.transferable();
    return {
      provides: { storage: scoped(({ id }) => storage.forPlugin(id)) },
      start: async () => {
        await assertNoImportRuns(transferable);
        await storage.ready();
      },
      commands: transferCommands(transferable, needs.clock),
      check: async () => {
        await storage.ping();
        return { deployment: connection.deployment };
      },
    };
  },
});
