/** The generated sealing key: a file next to the embedded store that only the server's user may read. */
import { randomBytes } from 'node:crypto';
import { link, open, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from 'plugboard/sdk';

const FILE = 'seal.key';

/** One key per line: the first one seals, the others came with a restored backup or were there before it. */
export async function readSealKeyFile(directory: string): Promise<[string, ...string[]] | undefined> {
  try {
    const [first = '', ...others] = (await readFile(join(directory, FILE), 'utf8')).trim().split(/\r?\n/);
    return [first, ...others];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The keys in the file, which is created if missing. Concurrent processes get the same key. */
export async function ensureSealKeyFile(directory: string): Promise<[string, ...string[]]> {
  const existing = await readSealKeyFile(directory);
  if (existing !== undefined) return existing;
  const key = randomBytes(32).toString('base64');
  const draft = join(directory, `${FILE}.${newId()}`);
  await writeDurably(draft, `${key}\n`);
  const isFirst = await linkIfFirst(draft, join(directory, FILE));
  await unlink(draft);
  await syncDirectory(directory);
  return isFirst ? [key] : ensureSealKeyFile(directory);
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Creating a link is atomic and never replaces an existing file. */
async function linkIfFirst(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** The directory entry must survive a power loss like the sealed secrets. Windows cannot sync it and need not. */
async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
