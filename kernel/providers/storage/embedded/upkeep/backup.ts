/** Copies the store while it is used, and puts a copy in its place. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../../../../sdk/command.js';
import type { Catalog } from '../catalog.js';
import type { ChangeLog } from '../changes/change-log.js';
import { Environment } from '../lmdb/environment.js';
import { entriesOf, type Space } from '../lmdb/key-space.js';

export async function backup(environment: Environment, directory: string): Promise<void> {
  if (existsSync(directory) && readdirSync(directory).length > 0)
    throw new UserError(`"${directory}" is not empty; name a new folder`);
  await environment.backup(directory);
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
  } finally {
    await copy.close();
  }
  catalog.forget();
}

const FIRST = Buffer.from([0]);
const LAST = Buffer.alloc(64, 0xff);
