/** The limit that the disk sets to durable writes: one record written over an old one, and synced beside the event loop. */
import { fdatasync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const SIZE = 8 * 2 ** 20;
/** What the log takes for one document of the bench. */
const RECORD = Buffer.alloc(900, 1);
const CALLS = 200;

const sync = promisify(fdatasync);

/** Microseconds a write, in the mean. */
export function disk(folder: string): () => Promise<number> {
  const file = openSync(join(folder, 'limit'), 'w');
  writeSync(file, Buffer.alloc(SIZE), 0, SIZE, 0);
  let at = 0;
  return async () => {
    const began = performance.now();
    for (let call = 0; call < CALLS; call += 1) {
      writeSync(file, RECORD, 0, RECORD.length, at);
      at = (at + RECORD.length) % (SIZE - RECORD.length);
      await sync(file);
    }
    return ((performance.now() - began) * 1000) / CALLS;
  };
}
