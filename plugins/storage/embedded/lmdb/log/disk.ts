/** What Node leaves to its callers when files must be on disk. */
import { closeSync, fdatasync, fsyncSync, openSync, writeSync } from 'node:fs';

export function writeAll(file: number, bytes: Buffer, position: number): void {
  for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at, bytes.length - at, position + at);
}

/** Resolves when all that was written to the file before the call is on disk. */
export function sync(file: number): Promise<void> {
  return new Promise((resolve, reject) => {
    fdatasync(file, (error) => {
      if (error) reject(error);
      else resolve();
    });
  });
}

/** Makes new files findable after a crash. Windows has no such call and needs none. */
export function syncDirectory(directory: string): void {
  if (process.platform === 'win32') return;
  const file = openSync(directory, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
