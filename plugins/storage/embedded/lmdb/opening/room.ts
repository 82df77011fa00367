/** The size of lmdb's memory map. */
import { readFileSync } from 'node:fs';

/**
 * Bytes of address space, which costs neither memory nor disk. When the file outgrows its map, lmdb maps it again and
 * keeps the old map, and pages in both count twice as resident. `undefined` (a small map that grows) where a map of
 * this size may not fit, as lmdb aborts the process if mapping fails; on Windows the file is as large as its map.
 */
export function room(limits = '/proc/self/limits'): number | undefined {
  const isSmall = process.platform === 'win32' || /^(arm|ia32|mipsel)$/.test(process.arch);
  return isSmall || isLimited(limits) ? undefined : 2 ** 36;
}

/** By `ulimit -v`. Systems other than Linux have no such file and do not enforce the limit. */
function isLimited(limits: string): boolean {
  try {
    return /^Max address space +\d/m.test(readFileSync(limits, 'utf8'));
  } catch {
    return false;
  }
}
