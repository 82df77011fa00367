/** `plugboard data export` and `data import`, for every store. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Command, type CommandCall, UserError } from 'plugboard/sdk';
import { NO_SEAL_KEY } from '../seal-keys.js';
import { exportAll } from './export.js';
import { importAll } from './import.js';
import { ProgressLine } from './progress-line.js';
import type { WholeStore } from './whole-store.js';

/** `mayServe`: whether a server may use the store while the command runs. */
export function transferCommands(store: WholeStore, mayServe: () => boolean): readonly Command[] {
  return [
    {
      name: 'data export',
      summary:
        'Writes all collections of the store into a folder; run it again to go on after an interruption',
      usage: 'DIR',
      examples: ['plugboard data export ./moved'],
      run: async (call) => {
        const directory = folder(call);
        const progress = new ProgressLine(call.stderr);
        const { collections, documents, sealKey } = await exportAll(store, directory, {
          progress,
          signal: call.signal,
        });
        call.stdout.write(
          `exported ${documents} documents of ${collections} collections to ${directory}` +
            `${sealKey ? ', with the key of the sealed secrets (seal.key)' : ''}\n`,
        );
        if (!sealKey) call.stderr.write(`${NO_SEAL_KEY}\n`);
      },
    },
    {
      name: 'data import',
      summary:
        'Stores an export in this store and compares the two; run it again to go on after an interruption',
      usage: 'DIR',
      examples: ['plugboard data import ./moved --replace'],
      options: {
        replace: {
          type: 'boolean',
          default: false,
          summary: 'Delete what the collections of the export hold here',
        },
      },
      run: async (call) => {
        const directory = folder(call);
        const progress = new ProgressLine(call.stderr);
        const { collections, documents, expired, sealKey } = await importAll(store, directory, {
          progress,
          signal: call.signal,
          replace: call.options['replace'] === true,
          hasSealKey: existsSync(join(directory, 'seal.key')),
        });
        const gone = expired === 0 ? '' : `, ${expired} of which have expired meanwhile`;
        call.stdout.write(
          `imported ${documents} documents of ${collections} collections${gone}; all are as they were exported\n`,
        );
        if (sealKey === 'shown')
          call.stderr.write(
            `sealed secrets open with ${join(directory, 'seal.key')}: name it in providers.secrets.keys\n`,
          );
        else if (sealKey === 'none') call.stderr.write(`${NO_SEAL_KEY}\n`);
        if (mayServe())
          call.stderr.write('restart each server that uses this store: it has read the former data\n');
      },
    },
  ];
}

function folder({ args, cwd }: CommandCall): string {
  const [directory, ...more] = args;
  if (directory === undefined || more.length > 0) throw new UserError('name one folder');
  return resolve(cwd, directory);
}
