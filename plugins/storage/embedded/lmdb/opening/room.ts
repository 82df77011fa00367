/** How much of its address space a process gives to the data file. */
import { readFileSync } from 'node:fs';

/**
 * Bytes of address space, which takes neither memory nor disk. When the file outgrows it lmdb maps the file once more and
 * keeps the old map: what both show counts twice as resident. `undefined`, a map that grows from little, where a map
 * as large does not fit: lmdb ends the process where it gets none. Windows gives a file the size of its map.
 */
export function room(limits = '/proc/self/limits'): number | undefined {
  const isSmall = process.platform === 'win32' || /^(arm|ia32|mipsel)$/.test(process.arch);
  return isSmall || isLimited(limits) ? undefined : 2 ** 36;
}

/** By `ulimit -v`. Other systems than Linux have no such file, and do not enforce such a limit. */
function isLimited(limits: string): boolean {
  try {
    return /^Max address space +\d/m.test(readFileSync(limits, 'utf8'));
  } catch {
    return false;
  }
}
