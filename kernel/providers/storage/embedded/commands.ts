/** `plugboard data check`, `data backup` and `data restore`. */
import { resolve } from 'node:path';
import { UserError, type Command, type CommandCall } from '../../../sdk/command.js';
import type { EmbeddedStore } from './storage.js';

export function commands(store: EmbeddedStore): readonly Command[] {
  return [
    {
      name: 'data check',
      summary:
        'Compares the indexes of the embedded store with its documents; exit code 1 when they disagree',
      run: ({ stdout }) => {
        const { documents, entries, faults } = store.check();
        for (const fault of faults) stdout.write(`${fault}\n`);
        if (faults.length > 0) throw new Error(`${faults.length} faults in ${documents} documents`);
        stdout.write(`${documents} documents and ${entries} index entries agree\n`);
      },
    },
    {
      name: 'data backup',
      summary: 'Copies the embedded store into a new folder while it is used',
      usage: 'DIR',
      examples: ['plugboard data backup ./backup-monday'],
      run: async (call) => {
        const directory = folder(call, 'data backup ./backup-monday');
        const { withKey } = await store.backup(directory);
        call.stdout.write(`copied to ${directory}\n`);
        call.stderr.write(
          withKey
            ? 'its seal.key opens the secrets in it: keep the copy as safe as the store\n'
            : 'the secrets in it are sealed with providers.auth.sealKeys of the config: keep those keys too\n',
        );
      },
    },
    {
      name: 'data restore',
      summary: 'Replaces everything in the embedded store by a backup',
      usage: 'DIR',
      examples: ['plugboard data restore ./backup-monday'],
      run: async (call) => {
        const directory = folder(call, 'data restore ./backup-monday');
        await store.restore(directory);
        call.stdout.write(`restored from ${directory} and checked; start a running server again\n`);
      },
    },
  ];
}

function folder({ args, cwd }: CommandCall, example: string): string {
  const [directory, ...more] = args;
  if (directory === undefined || more.length > 0)
    throw new UserError(`name one folder: plugboard ${example}`);
  return resolve(cwd, directory);
}
