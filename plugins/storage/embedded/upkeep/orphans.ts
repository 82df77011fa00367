/** Removes entries that belong to no collection: leftovers of a restore, or what it replaced. */
import { setImmediate as turn } from 'node:timers/promises';
import type { Catalog } from '../catalog.js';
import type { Environment } from '../lmdb/environment.js';
import { prefix } from '../values/key-encoding.js';

const KEYS_PER_COMMIT = 500;
const END = Buffer.alloc(64, 0xff);

export async function removeOrphans(environment: Environment, catalog: Catalog): Promise<void> {
  for (const space of ['documents', 'indexes'] as const)
    for (let at = 0; ;) {
      const number = nextNumber(environment, space, at);
      if (number === undefined) break;
      if (!catalog.has(number)) await removeNumber(environment, space, number);
      at = number + 1;
    }
}

function nextNumber(
  environment: Environment,
  space: 'documents' | 'indexes',
  from: number,
): number | undefined {
  const walk = environment.latest.walk(space, { start: prefix(from), end: END });
  const number = walk.step() ? walk.key.readUInt32BE(0) : undefined;
  walk.end();
  return number;
}

/** Removes everything under the number of a collection or an index, a few entries at a time. */
export async function removeNumber(
  environment: Environment,
  space: 'documents' | 'indexes',
  number: number,
): Promise<void> {
  for (let removed = KEYS_PER_COMMIT; removed === KEYS_PER_COMMIT;) {
    removed = 0;
    await environment.commit((writer) => {
      const keys: Buffer[] = [];
      const walk = writer.walk(space, { start: prefix(number), end: prefix(number + 1) });
      while (keys.length < KEYS_PER_COMMIT && walk.step()) keys.push(walk.key);
      walk.end();
      for (const key of keys) writer.remove(space, key);
      removed = keys.length;
    });
    await turn();
  }
}
