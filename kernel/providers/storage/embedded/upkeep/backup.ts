/** Copies the store while it is used, and puts a copy in its place. */
import { existsSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../../../../sdk/command.js';
import { Catalog } from '../catalog.js';
import type { ChangeLog } from '../changes/change-log.js';
import { Environment } from '../lmdb/environment.js';
import { check } from './check.js';
import { entriesOf, type Space } from '../lmdb/key-space.js';

/** What lies beside the store and opens the secrets in it. */
const SEAL_KEY = 'seal.key';

/**
 * Copies the store, and the sealing key that was generated beside it, into a new folder: whole or not at all.
 * Answers whether there was a key; without one the keys are those of the config.
 */
export async function backup(environment: Environment, directory: string): Promise<{ withKey: boolean }> {
  if (existsSync(directory) && readdirSync(directory).length > 0)
    throw new UserError(`"${directory}" is not empty; name a new folder`);
  const draft = `${directory}.part`;
  rmSync(draft, { recursive: true, force: true });
  try {
    await environment.backup(draft);
    const key = readKey(environment.directory);
    if (key !== undefined) writeFileSync(join(draft, SEAL_KEY), key, { mode: 0o600, flush: true });
    if (existsSync(directory)) rmdirSync(directory);
    renameSync(draft, directory);
    return { withKey: key !== undefined };
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Replaces everything by the copy, in one transaction. Feeds of before get `history_lost`: what they followed
 * is no more.
 */
export async function restore(
  environment: Environment,
  catalog: Catalog,
  changes: ChangeLog,
  directory: string,
): Promise<void> {
  if (!existsSync(join(directory, 'data.mdb'))) throw new UserError(`there is no backup in "${directory}"`);
  const copy = new Environment(directory, { sync: false, cacheBytes: 0 });
  try {
    const { faults } = check(copy, new Catalog());
    if (faults.length > 0)
      throw new UserError(`the backup in "${directory}" is damaged; nothing was replaced: ${faults[0]}`);
    // A crash between the data and the key: the next start says that the key does not fit, a second restore mends it.
    const replaceKey = prepareKey(environment.directory, directory);
    environment.write((writer) => {
      const version = catalog.refresh(writer);
      const position = changes.newest(writer);
      for (const space of ['documents', 'indexes', 'catalog'] as const satisfies readonly Space[]) {
        environment.clear(space);
        for (const { key, value } of entriesOf(copy.latest.walk(space, { start: FIRST, end: LAST })))
          writer.put(space, key, value);
      }
      environment.clear('changes');
      changes.restart(writer, position);
      catalog.supersede(writer, version);
    });
    replaceKey();
  } finally {
    await copy.close();
  }
  catalog.forget();
}

/** Lays the backup's key ready beside the store's; what it answers puts it in place and keeps the one before. */
function prepareKey(directory: string, backupDirectory: string): () => void {
  const [ours, theirs] = [readKey(directory), readKey(backupDirectory)];
  if (theirs === undefined || theirs === ours) return () => {};
  const place = join(directory, SEAL_KEY);
  writeFileSync(`${place}.new`, theirs, { mode: 0o600, flush: true });
  return () => {
    if (ours !== undefined) renameSync(place, `${place}.before-restore`);
    renameSync(`${place}.new`, place);
  };
}

function readKey(directory: string): string | undefined {
  const file = join(directory, SEAL_KEY);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

const FIRST = Buffer.from([0]);
const LAST = Buffer.alloc(64, 0xff);
