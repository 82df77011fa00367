/** MongoDB as the store: for production and for more than one machine. */
import { createHash } from 'node:crypto';
import { CLOCK, definePlugin, scoped, STORAGE } from 'plugboard/sdk';
import { transferCommands } from '../transfer/commands.js';
import type { WholeStore } from '../transfer/whole-store.js';
import { assertNoUnfinishedImport } from '../transfer/unfinished.js';
import { StoredVersions } from '../versions.js';
import { connect, type Connection } from './connection.js';
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
    const whole = wholeStore(storage, connection);
    const versions = await StoredVersions.of(whole);
    return {
      provides: { storage: scoped(({ id }) => storage.forPlugin(id, versions)) },
      start: async () => {
        await assertNoUnfinishedImport(whole);
        await versions.note(whole);
        await storage.ready();
      },
      commands: transferCommands(whole, () => true),
      check: async () => {
        await storage.ping();
        return { deployment: connection.deployment };
      },
    };
  },
});

function wholeStore(storage: MongoStorage, { client, db }: Connection): WholeStore {
  const place = JSON.stringify([client.options.hosts.map(String).toSorted(), db.databaseName]);
  return {
    id: createHash('sha256').update(place).digest('hex').slice(0, 32),
    directory: undefined,
    collections: () => storage.collections(),
    open: (name) => storage.existing(name),
  };
}
