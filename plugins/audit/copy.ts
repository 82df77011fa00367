/** Copies of the records outside the store, out of reach of whoever can change it. */
import { mkdir, open, type FileHandle } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Logger } from 'plugboard/sdk';
import { errors } from './errors.js';
import { shown, type RecordDocument } from './record.js';
import type { CopyConfig } from './schema.js';

export interface Copy {
  /** Throws `copy_failed` if a copy is required and cannot be written. */
  append(documents: readonly RecordDocument[]): Promise<void>;
}

/** Milliseconds per call of the webhook. */
const TIMEOUT = 5_000;

export function openCopy(config: CopyConfig | undefined, baseDir: string, log: Pick<Logger, 'error'>): Copy {
  if (config === undefined) return { append: async () => {} };
  const { file, url, required } = config;
  return {
    async append(documents) {
      const lines = documents.map((document) => `${JSON.stringify(shown(document))}\n`).join('');
      try {
        if (file !== undefined) await appendToFile(resolve(baseDir, file), lines);
        if (url !== undefined) await post(url, lines);
      } catch (error) {
        if (required) throw errors.copy_failed({ cause: error });
        log.error({ err: error, records: documents.length }, 'could not copy audit records');
      }
    },
  };
}

/** One JSON document per line; on disk when it returns. */
async function appendToFile(file: string, lines: string): Promise<void> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(file, 'a', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    // One level: if more of the path is missing, it is probably a mistake.
    await mkdir(dirname(file));
    handle = await open(file, 'a', 0o600);
  }
  try {
    await handle.appendFile(lines);
    await handle.datasync();
  } finally {
    await handle.close();
  }
}

async function post(url: string, lines: string): Promise<void> {
  const answer = await fetch(url, {
    method: 'POST',
    body: lines,
    headers: { 'content-type': 'application/x-ndjson' },
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT),
  });
  await answer.body?.cancel();
  if (!answer.ok) throw new Error(`the webhook answered ${answer.status}`);
}
