/** Writing and syncing files completely, which Node leaves to the caller. */
import { closeSync, fdatasync, fsyncSync, openSync, writeSync } from 'node:fs';

export function writeAll(file: number, bytes: Buffer, position: number): void {
  for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at, bytes.length - at, position + at);
}

/** Resolves when everything written to the file before the call is on disk. */
export function sync(file: number): Promise<void> {
  return new Promise((resolve, reject) => {
    fdatasync(file, (error) => {
      if (error) reject(error);
      else resolve();
    });
  });
}

/** Makes new directory entries durable. Windows has no such call and needs none. */
export function syncDirectory(directory: string): void {
  if (process.platform === 'win32') return;
  const file = openSync(directory, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
