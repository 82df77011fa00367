/** The embedded storage provider: a document store on this machine's disk, with nothing to install. */
import { totalmem } from 'node:os';
import { resolve } from 'node:path';
import { CLOCK, definePlugin, METRICS, scoped, STORAGE, Type } from 'plugboard/sdk';
import { startBackups } from './backups/schedule.js';
import { BackupSettings } from './backups/settings.js';
import { assertNoUnfinishedImport } from '../transfer/unfinished.js';
import { commands, removeDecrypted, repairCommand } from './commands.js';
import { transferCommands } from '../transfer/commands.js';
import { EmbeddedStore } from './storage.js';
import { StoredVersions } from '../versions.js';
import { wholeStore } from './whole-store.js';

export default definePlugin({
  name: 'embedded',
  api: 1,
  summary: 'stores documents on the disk of this machine',
  config: Type.Object(
    {
      path: Type.String({
        default: './data',
        minLength: 1,
        folder: true,
        description: 'The folder of the store',
      }),
      sync: Type.Boolean({
        default: true,
        description:
          'Whether a write is answered only when the disk has it. Without, a crash of the machine (not of the server) can lose the last seconds',
      }),
      history: Type.Object(
        {
          changes: Type.Integer({
            default: 100_000,
            minimum: 1,
            description: 'How many changes are kept for feeds',
          }),
          megabytes: Type.Integer({
            default: 16,
            minimum: 1,
            description: 'How much of the disk they may take',
          }),
        },
        {
          additionalProperties: false,
          default: {},
          description: 'The changes that are kept, so that readers of feeds can go on where they were',
        },
      ),
      cacheMegabytes: Type.Optional(
        Type.Integer({
          minimum: 0,
          description:
            'How much of the documents that are read often is kept ready in memory, where it takes two to four times as much; without, a 128th of the memory, from 16 to 256',
        }),
      ),
      sweepSeconds: Type.Integer({
        default: 60,
        minimum: 1,
        description: 'How often expired documents are removed from disk; they are hidden at once',
      }),
      backups: Type.Optional(BackupSettings),
    },
    { additionalProperties: false },
  ),
  needs: { clock: CLOCK, metrics: METRICS },
  provides: { storage: STORAGE },
  standalone: ({ config, baseDir }) => [repairCommand(resolve(baseDir, config.path))],
  async setup({ config, baseDir, needs, log, signal, onStop, progress }) {
    const store = new EmbeddedStore({
      directory: resolve(baseDir, config.path),
      sync: config.sync,
      history: { changes: config.history.changes, bytes: config.history.megabytes * 2 ** 20 },
      cacheBytes: (config.cacheMegabytes ?? usualCache()) * 2 ** 20,
      clock: needs.clock,
      log,
    });
    onStop(() => store.close());
    removeDecrypted(store.environment.directory);
    await store.settleDoubts();
    await store.tidy();
    const whole = wholeStore(store);
    const versions = await StoredVersions.of(whole);
    let started = false;
    const serves = (): boolean => started;
    return {
      provides: { storage: scoped(({ id }) => store.forPlugin(id, versions)) },
      start: async () => {
        await assertNoUnfinishedImport(whole);
        await versions.note(whole);
        started = true;
        await store.ready(progress);
        if (config.backups !== undefined)
          await startBackups(resolve(baseDir, config.backups.directory), config.backups, {
            ...needs,
            store,
            log,
            signal,
            onStop,
          });
        const timer = setInterval(() => {
          store
            .sweep(signal)
            .catch((error: unknown) => log.error({ err: error }, 'expired documents were not removed'));
        }, config.sweepSeconds * 1000);
        // An unready server gets no requests, so no write would reveal that the store works again: probe it.
        const retry = setInterval(() => void store.tryAgain(), TRY_AGAIN);
        for (const each of [timer, retry]) {
          each.unref();
          onStop(() => clearInterval(each));
        }
      },
      check: () => store.assertTakesWrites(),
      commands: [...commands(store, serves), ...transferCommands(whole, serves)],
    };
  },
});

/** Milliseconds between probes of a store that refused a write. */
const TRY_AGAIN = 5_000;

/** In megabytes, from the memory of the machine or the limit of the container. */
function usualCache(): number {
  const allowed = process.constrainedMemory();
  const memory = allowed > 0 ? Math.min(allowed, totalmem()) : totalmem();
  return Math.min(Math.max(Math.floor(memory / 128 / 2 ** 20), 16), 256);
}
