/** Makes one backup: copies, restores into an empty store, compares there, encrypts, and only then moves into place. */
import { mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from 'plugboard/sdk';
import { takeSealKeys } from '../../seal-keys.js';
import { EmbeddedStore, type EmbeddedOptions } from '../storage.js';
import { BACKUP } from '../upkeep/backup.js';
import { encryptFiles } from '../upkeep/encryption.js';

/** Leftovers of a killed server begin with this name, and are removed before the next backup of the same store. */
const draftOf = (store: string): string => `unfinished-${store}-`;

export interface MadeBackup {
  readonly directory: string;
  readonly documents: number;
}

/** `name`: of the new folder in `directory`. Throws for a damaged copy, and then leaves nothing. */
export async function makeBackup(
  store: EmbeddedStore,
  directory: string,
  name: string,
  {
    encryptTo,
    ...scratch
  }: { readonly encryptTo: readonly string[] } & Pick<EmbeddedOptions, 'clock' | 'log'>,
): Promise<MadeBackup> {
  makeFolder(directory, 0o700);
  const unfinished = draftOf(store.environment.store);
  for (const left of readdirSync(directory))
    if (left.startsWith(unfinished)) rmSync(join(directory, left), { recursive: true });
  const draft = mkdtempSync(join(directory, unfinished));
  try {
    const copy = join(draft, 'copy');
    const { documents } = await store.backup(copy);
    takeSealKeys(store.environment.directory, copy);
    await assertRestores(copy, join(draft, 'restored'), scratch);
    if (encryptTo.length > 0)
      await encryptFiles(
        copy,
        readdirSync(copy).filter((file) => file !== BACKUP),
        encryptTo,
      );
    const place = join(directory, name);
    renameSync(copy, place);
    return { directory: place, documents };
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

async function assertRestores(
  copy: string,
  directory: string,
  parts: Pick<EmbeddedOptions, 'clock' | 'log'>,
): Promise<void> {
  const restored = new EmbeddedStore({
    ...parts,
    directory,
    // Discarded data need not survive a crash.
    sync: false,
    cacheBytes: 0,
    history: { changes: 1, bytes: 2 ** 20 },
  });
  try {
    await restored.restore(copy);
    const { faults } = await restored.check();
    if (faults.length > 0) throw new Error(`the backup does not restore: ${faults[0]}`);
  } finally {
    await restored.close();
  }
}
