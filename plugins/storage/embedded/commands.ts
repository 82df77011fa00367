/** `plugboard data check`, `data backup` and `data restore`. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Command, type CommandCall, UserError } from 'plugboard/sdk';
import { bringSealKeys, NO_SEAL_KEY, takeSealKeys } from '../seal-keys.js';
import { decryptFiles } from './upkeep/encryption.js';
import type { EmbeddedStore } from './storage.js';

/** Of a folder in the store's. */
const DECRYPTED = 'restoring-';

/** `serves`: whether the command runs inside a server on this store. */
export function commands(store: EmbeddedStore, serves: () => boolean): readonly Command[] {
  return [
    {
      name: 'data check',
      summary: 'Checks the pages, documents and indexes of the embedded store; exit code 1 for a fault',
      run: async ({ stdout, stderr }) => {
        let next = performance.now() + 1000;
        const { documents, entries, faults } = await store.check((looked) => {
          if (performance.now() < next) return;
          next = performance.now() + 1000;
          stderr.write(`${looked} documents and index entries checked\n`);
        });
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
        const directory = folder(call);
        const { documents } = await store.backup(directory);
        const sealKey = takeSealKeys(store.environment.directory, directory);
        call.stdout.write(
          `copied ${documents} documents to ${directory}${sealKey ? ', with the key of the sealed secrets (seal.key)' : ''}\n`,
        );
        if (!sealKey) call.stderr.write(`${NO_SEAL_KEY}\n`);
      },
    },
    {
      name: 'data restore',
      summary: 'Replaces everything in the embedded store by a backup',
      usage: 'DIR',
      options: {
        identity: {
          type: 'string',
          value: 'FILE',
          summary: 'The private key of age, as age-keygen writes it, of a backup that is encrypted',
        },
      },
      examples: [
        'plugboard data restore ./backup-monday',
        'plugboard data restore ./backups/2026-11-23T030000Z --identity key.txt',
      ],
      run: (call) =>
        withPlainBackup(folder(call), call, store.environment.directory, async (directory) => {
          const { at } = await store.restore(directory);
          const { documents, faults } = await store.check();
          if (faults.length > 0) throw new Error(`what was restored is damaged: ${faults[0]}`);
          const sealKey = bringSealKeys(directory, store.environment.directory);
          call.stdout.write(`restored ${documents} documents as of ${at} and checked them\n`);
          if (serves())
            call.stderr.write(
              'the server serves them; restart it: its plugins may hold what they have read before\n',
            );
          if (!sealKey) call.stderr.write(`${NO_SEAL_KEY}\n`);
        }),
    },
  ];
}

/** `work` gets the backup itself, or a decrypted copy in the store's folder that is removed afterwards. */
async function withPlainBackup(
  directory: string,
  { options, cwd }: CommandCall,
  storeFolder: string,
  work: (directory: string) => Promise<void>,
): Promise<void> {
  const identity = options['identity'];
  if (typeof identity !== 'string') return work(directory);
  const copy = mkdtempSync(join(storeFolder, DECRYPTED));
  try {
    await decryptFiles(directory, copy, resolve(cwd, identity));
    await work(copy);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** At the start: removes what a killed restore left. */
export function removeDecrypted(storeFolder: string): void {
  for (const name of readdirSync(storeFolder))
    if (name.startsWith(DECRYPTED)) rmSync(join(storeFolder, name), { recursive: true });
}

/** Runs without the server: the store may not open. */
export function repairCommand(directory: string): Command {
  return {
    name: 'data repair',
    summary: 'Says what can be kept of an embedded store that no longer opens, and what has to be given up',
    options: {
      yes: {
        type: 'boolean',
        summary: 'Rebuild the store from what can be kept; the damaged files are moved aside in its folder',
      },
    },
    run: async ({ options, stdout }) => {
      const { planRepair, repair } = await import('./upkeep/repair.js');
      const { lost, documents, made } = await planRepair(directory);
      if (made)
        stdout.write(
          `a repair was broken off: its data file with ${documents} documents is whole and not yet in its place\n`,
        );
      else if (lost.length === 0)
        stdout.write(`every page of "${directory}" can be read, and ${documents} documents are kept\n`);
      else
        stdout.write(
          `given up:\n${lost.map((each) => `  ${each}\n`).join('')}kept: ${documents} documents\n`,
        );
      if (options['yes'] !== true) {
        const what = made ? 'to put it in its place' : 'to rebuild the store from what can be kept';
        stdout.write(`nothing was changed; run "plugboard data repair --yes" ${what}\n`);
        return;
      }
      const aside = await repair(directory, new Date());
      stdout.write(`rebuilt with ${documents} documents; the damaged files are in "${aside}"\n`);
    },
  };
}

function folder({ args, cwd }: CommandCall): string {
  const [directory, ...more] = args;
  if (directory === undefined || more.length > 0) throw new UserError('name one folder');
  return resolve(cwd, directory);
}
