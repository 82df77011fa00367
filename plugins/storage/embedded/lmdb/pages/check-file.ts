/** Whether lmdb may open a file: it maps what its meta pages name, and a page behind the end ends the process. */
import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { Damage } from '../damage.js';
import { newestMeta, type Meta } from './meta.js';

/** Two meta pages of the largest size that there is. */
const HEAD = 2 * 65_536;

/** Undefined: there is no file yet. Throws `Damage`. */
export function checkMetaPages(path: string): Meta | undefined {
  if (!existsSync(path)) return undefined;
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    // lmdb fills a file that was just made.
    if (size === 0) return undefined;
    const bytes = Buffer.alloc(HEAD);
    const read = readSync(file, bytes, 0, HEAD, 0);
    const meta = newestMeta(bytes.subarray(0, read));
    for (const { root } of [meta.free, meta.main])
      if (root !== undefined && (root + 1) * meta.pageSize > size)
        throw new Damage('it is shorter than its meta pages say');
    return meta;
  } finally {
    closeSync(file);
  }
}
