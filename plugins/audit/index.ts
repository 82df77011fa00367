/** The audit provider: who did what to the server, in tamper-evident chains of records. */
import { AUDIT, CLOCK, definePlugin, STORAGE, type Audit } from 'plugboard/sdk';
import { Chain } from './chain.js';
import { auditCommands } from './commands.js';
import { openCopy } from './copy.js';
import { listOperations, listRecords } from './list.js';
import { removeOld } from './retention.js';
import { Config } from './schema.js';

/** Milliseconds between two removals of old records. */
const REMOVAL = 6 * 3_600_000;

export default definePlugin({
  name: 'chained',
  api: 1,
  summary: 'who did what to the server, in records that show when they were changed',
  config: Config,
  configFaults: ({ copy }) =>
    copy !== undefined && copy.file === undefined && copy.url === undefined
      ? [{ path: ['copy'], message: 'needs "file" or "url"' }]
      : [],
  needs: { storage: STORAGE, clock: CLOCK },
  provides: { audit: AUDIT },
  setup({ config, baseDir, reloading, needs: { storage, clock }, log, onStop }) {
    const chain = new Chain(storage, clock, openCopy(config.copy, baseDir, log));
    onStop(() => chain.close());
    const audit: Audit = {
      record: (event) => chain.append(event),
      list: (query) => (query.operations === true ? listOperations : listRecords)(chain.records, query),
    };
    return {
      provides: { audit },
      async start() {
        await audit.record({ action: reloading ? 'reload' : 'start', outcome: 'done', actor: 'server' });
        const remove = (): void => {
          removeOld(chain, config.keepDays, clock).catch((error: unknown) =>
            log.warn({ err: error }, 'could not remove old audit records'),
          );
        };
        const timer = setInterval(remove, REMOVAL);
        timer.unref();
        onStop(() => clearInterval(timer));
      },
      commands: auditCommands(chain),
    };
  },
});
