/** Copies the generated sealing key along with the data: without it no secret of a copied store can be opened. */
import { chmodSync, copyFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** One key per line; the first one seals. */
const FILE = 'seal.key';

/** Copies the key of a store's folder. False if it has none. */
export function takeSealKeys(directory: string | undefined, into: string): boolean {
  if (directory === undefined || !existsSync(join(directory, FILE))) return false;
  copyFileSync(join(directory, FILE), join(into, FILE));
  chmodSync(join(into, FILE), 0o600);
  return true;
}

/** Puts the key of a copy before the folder's own, so that both still open their secrets. False if the copy has none. */
export function bringSealKeys(from: string, directory: string): boolean {
  if (!existsSync(join(from, FILE))) return false;
  const all = new Set([...keysIn(join(from, FILE)), ...keysIn(join(directory, FILE))]);
  const draft = join(directory, `${FILE}.new`);
  writeFileSync(draft, `${[...all].join('\n')}\n`, { mode: 0o600, flush: true });
  renameSync(draft, join(directory, FILE));
  return true;
}

function keysIn(path: string): string[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
}

export const NO_SEAL_KEY =
  'sealed secrets open with the keys in providers.secrets.keys of the config, which are not part of it: keep those too';
