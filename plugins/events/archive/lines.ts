/** The lines of an archive, gzip or plain, of bounded length, streamed from disk. */
import { createReadStream, type ReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';

/** A store takes documents of at most 16 MiB. */
export const LONGEST_LINE = 8 * 1024 * 1024;
const CHUNK = 256 * 1024;
const NEWLINE = 10;

/** A line that is too long is null: none of it is kept. */
export type Line = string | null;

export interface Archive {
  /** Bytes on disk. */
  readonly size: number;
  /** Changes when the file does. */
  readonly stamp: string;
  /** Bytes read so far. */
  readonly read: number;
  /** Lines in groups, one per chunk. */
  lines(): AsyncGenerator<Line[], void>;
}

export async function openArchive(path: string): Promise<Archive> {
  const { size, mtimeMs } = await stat(path);
  const isGzip = await startsAsGzip(path);
  let file: ReadStream | undefined;
  return {
    size,
    stamp: `${size}-${mtimeMs}`,
    get read() {
      return file?.bytesRead ?? 0;
    },
    async *lines() {
      file = createReadStream(path, { highWaterMark: CHUNK });
      const source = file;
      if (!isGzip) {
        yield* splitLines(source);
        return;
      }
      const gunzip = createGunzip({ chunkSize: CHUNK });
      source.once('error', (error) => gunzip.destroy(error));
      try {
        yield* splitLines(source.pipe(gunzip));
      } finally {
        source.destroy();
        gunzip.destroy();
      }
    },
  };
}

async function startsAsGzip(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
  } finally {
    await file.close();
  }
}

/** The last line may lack its newline. Memory holds one chunk and one line. */
export async function* splitLines(
  source: AsyncIterable<Buffer>,
  longest = LONGEST_LINE,
): AsyncGenerator<Line[], void> {
  let open: Buffer[] = [];
  let length = 0;
  let overlong = false;
  const take = (rest: Buffer): Line => {
    const line = overlong || length + rest.length > longest ? null : joined(open, rest);
    open = [];
    length = 0;
    overlong = false;
    return line;
  };
  for await (const chunk of source) {
    const lines: Line[] = [];
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      lines.push(take(chunk.subarray(from, end)));
      from = end + 1;
    }
    const rest = chunk.subarray(from);
    length += rest.length;
    if (length > longest) {
      overlong = true;
      open = [];
    } else if (rest.length > 0) {
      open.push(rest);
    }
    if (lines.length > 0) yield lines;
  }
  if (length > 0) {
    const nothing = Buffer.alloc(0);
    yield [take(nothing)];
  }
}

function joined(open: readonly Buffer[], rest: Buffer): string {
  return open.length === 0 ? rest.toString('utf8') : Buffer.concat([...open, rest]).toString('utf8');
}
