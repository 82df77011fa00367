/**
 * Replaces everything by a backup while the store is in use. The backup is stored next to the current collections,
 * under new numbers, and one small commit at the end switches over: a killed restore has changed nothing, and its
 * leftovers are removed at the next start.
 */
import { decode } from '../../bson/decode.js';
import type { Catalog } from '../catalog.js';
import type { ChangeLog } from '../changes/change-log.js';
import type { Environment, Writer } from '../lmdb/environment.js';
import type { Space } from '../lmdb/key-space.js';
import type { PageEntry } from '../lmdb/pages/data-file.js';
import { entriesOfBackup, readBackup, type Backup } from './backup.js';
import { removeOrphans } from './orphans.js';

/** Bytes per commit. */
const BYTES_PER_COMMIT = 2 ** 19;

export async function restore(
  environment: Environment,
  catalog: Catalog,
  changes: ChangeLog,
  directory: string,
): Promise<Backup> {
  const made = readBackup(directory);
  // Reads and checks the whole backup before anything is written.
  const definitions = await definitionsIn(directory);
  const numbers = new Map<number, number>();
  await environment.commit((writer) => {
    for (const definition of definitions.values())
      for (const number of catalog.numbersOf(definition)) numbers.set(number, catalog.nextNumber(writer));
  });
  await stage(environment, directory, numbers);
  await environment.commit((writer) => {
    const version = catalog.refresh(writer);
    const position = changes.newest(writer);
    catalog.replaceAll(writer, definitions, numbers);
    environment.clear('changes');
    changes.restart(writer, position);
    catalog.supersede(writer, version);
  });
  catalog.forget();
  catalog.refresh(environment.latest);
  await removeOrphans(environment, catalog);
  return made;
}

/** The collections of the backup, as they are stored. */
async function definitionsIn(directory: string): Promise<Map<string, Record<string, unknown>>> {
  const definitions = new Map<string, Record<string, unknown>>();
  for await (const { tree, key, value } of entriesOfBackup(directory)) {
    const name = key.toString('utf8');
    if (tree === 'catalog' && name.startsWith('collection/'))
      definitions.set(name.slice('collection/'.length), decode(value));
  }
  return definitions;
}

async function stage(
  environment: Environment,
  directory: string,
  numbers: ReadonlyMap<number, number>,
): Promise<void> {
  let batch: (PageEntry & { tree: Space })[] = [];
  let bytes = 0;
  const flush = async (): Promise<void> => {
    const entries = batch;
    batch = [];
    bytes = 0;
    await environment.commit((writer) => entries.forEach((entry) => put(writer, entry, numbers)));
  };
  for await (const { tree, key, value } of entriesOfBackup(directory)) {
    if (tree !== 'documents' && tree !== 'indexes') continue;
    batch.push({ tree, key: Buffer.from(key), value: Buffer.from(value) });
    bytes += key.length + value.length;
    if (bytes >= BYTES_PER_COMMIT) await flush();
  }
  await flush();
}

function put(
  writer: Writer,
  { tree, key, value }: PageEntry & { tree: Space },
  numbers: ReadonlyMap<number, number>,
): void {
  const number = numbers.get(key.readUInt32BE(0));
  // Belongs to no collection: a leftover.
  if (number === undefined) return;
  const renumbered = Buffer.from(key);
  renumbered.writeUInt32BE(number, 0);
  writer.put(tree, renumbered, value);
}
