/** The bounded history of changes: one entry per change, in commit order, numbered without gaps. */
import { StorageError } from 'plugboard/sdk';
import { readCounter, writeCounter } from '../catalog.js';
import type { Reader, Writer } from '../lmdb/environment.js';
import { entriesOf } from '../lmdb/key-space.js';

export interface HistoryLimits {
  readonly changes: number;
  /** Size on disk; large changes count in whole pages. */
  readonly bytes: number;
}

export interface Change {
  readonly collection: number;
  readonly id: string;
  /** Null: deleted. */
  readonly document: Buffer | null;
}

export interface LoggedChange extends Change {
  readonly sequence: number;
}

const NEWEST = Buffer.from('changes/newest');
const OLDEST = Buffer.from('changes/oldest');
const BYTES = Buffer.from('changes/disk');

const PUT = 1;
const DELETE = 0;

export class ChangeLog {
  readonly #limits: HistoryLimits;

  constructor(limits: HistoryLimits) {
    this.#limits = limits;
  }

  append(writer: Writer, changes: readonly Change[]): void {
    if (changes.length === 0) return;
    let sequence = readCounter(writer, NEWEST);
    let bytes = readCounter(writer, BYTES);
    for (const change of changes) {
      const entry = encodeEntry(change);
      writer.put('changes', sequenceKey(++sequence), entry);
      bytes += onDisk(entry.length);
    }
    writeCounter(writer, NEWEST, sequence);
    this.#prune(writer, sequence, bytes);
  }

  #prune(writer: Writer, newest: number, bytes: number): void {
    let oldest = readCounter(writer, OLDEST) || 1;
    const start = oldest;
    while (newest - oldest + 1 > this.#limits.changes || (bytes > this.#limits.bytes && oldest < newest)) {
      bytes = Math.max(0, bytes - onDisk(writer.get('changes', sequenceKey(oldest))?.length ?? 0));
      writer.remove('changes', sequenceKey(oldest));
      oldest++;
    }
    if (oldest !== start) writeCounter(writer, OLDEST, oldest);
    writeCounter(writer, BYTES, bytes);
  }

  /** Empties the history: resume tokens up to `position` are lost. */
  restart(writer: Writer, position: number): void {
    writeCounter(writer, NEWEST, position + 1);
    writeCounter(writer, OLDEST, position + 2);
    writeCounter(writer, BYTES, 0);
  }

  newest(reader: Reader): number {
    return readCounter(reader, NEWEST);
  }

  /** At most `count` changes after `sequence`. Throws `history_lost` if some of them are gone. */
  after(reader: Reader, sequence: number, count: number): LoggedChange[] {
    const oldest = readCounter(reader, OLDEST) || 1;
    const newest = this.newest(reader);
    if (sequence + 1 < oldest || sequence > newest)
      throw new StorageError(
        'history_lost',
        `the history of changes begins at ${oldest}, the token is at ${sequence}`,
      );
    const changes: LoggedChange[] = [];
    const end = sequenceKey(Math.min(newest, sequence + count) + 1);
    const range = { start: sequenceKey(sequence + 1), end };
    for (const { key, value } of entriesOf(reader.walk('changes', range)))
      changes.push(decodeEntry(key, value));
    return changes;
  }
}

const PAGE = 4096;
const PAGE_HEAD = 24;
/** Key, node header and pointer. */
const NODE = 18;

/** The size of an entry in lmdb: one longer than half a page gets overflow pages. */
function onDisk(length: number): number {
  if (length + NODE <= PAGE / 2) return length + NODE;
  return Math.ceil((length + PAGE_HEAD) / PAGE) * PAGE + NODE;
}

function sequenceKey(sequence: number): Buffer {
  const key = Buffer.allocUnsafe(8);
  key.writeBigUInt64BE(BigInt(sequence), 0);
  return key;
}

/** [collection: 4][kind: 1][length of the id: 4][id][document] */
function encodeEntry({ collection, id, document }: Change): Buffer {
  const idBytes = Buffer.from(id, 'utf8');
  const head = Buffer.allocUnsafe(9);
  head.writeUInt32BE(collection, 0);
  head[4] = document === null ? DELETE : PUT;
  head.writeUInt32BE(idBytes.length, 5);
  return Buffer.concat(document === null ? [head, idBytes] : [head, idBytes, document]);
}

function decodeEntry(key: Buffer, bytes: Buffer): LoggedChange {
  const sequence = Number(key.readBigUInt64BE(0));
  const idEnd = 9 + bytes.readUInt32BE(5);
  return {
    sequence,
    collection: bytes.readUInt32BE(0),
    id: bytes.toString('utf8', 9, idEnd),
    document: bytes[4] === PUT ? bytes.subarray(idEnd) : null,
  };
}
