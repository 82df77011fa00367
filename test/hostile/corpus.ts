/** The corpus: what `cases/` holds, which is sent in every run of the tests, and `more/`, for those with time. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { HostileCase } from './case.js';

export interface CorpusCase extends HostileCase {
  /** The file that it comes from. */
  readonly group: string;
}

export async function readCorpus({ more = false } = {}): Promise<CorpusCase[]> {
  const folders = more ? ['cases', 'more'] : ['cases'];
  return (await Promise.all(folders.map(readFolder))).flat();
}

async function readFolder(name: string): Promise<CorpusCase[]> {
  const folder = join(import.meta.dirname, name);
  const files = (await readdir(folder)).filter((file) => file.endsWith('.js')).toSorted();
  const groups = await Promise.all(
    files.map(async (file) => {
      const { cases } = (await import(join(folder, file))) as { cases: readonly HostileCase[] };
      return cases.map((each) => ({ ...each, group: file.replace(/\.js$/, '') }));
    }),
  );
  return groups.flat();
}
