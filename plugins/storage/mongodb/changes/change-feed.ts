/** A change feed over a change stream; resumes by itself when the server comes back. */
import { setTimeout as delay } from 'node:timers/promises';
import type { ChangeStream, ChangeStreamDocument, Collection, Document as DriverDocument } from 'mongodb';
import {
  type Change,
  type ChangeFeed,
  type Document,
  type Logger,
  nextTurn,
  type ResumeToken,
  StorageError,
  turnIsOver,
} from 'plugboard/sdk';
import { storageError } from '../errors.js';
import { fromDriver } from '../translate/values.js';

export interface FeedOptions {
  readonly after?: ResumeToken;
  readonly signal?: AbortSignal;
}

/** The position is fixed once it resolves. Throws `history_lost` for a token that the server no longer knows. */
export async function openChangeFeed<D extends Document>(
  raw: Collection,
  { after, signal }: FeedOptions,
  log: Logger,
): Promise<ChangeFeed<D>> {
  const feed = new StreamFeed<D>(raw, await positionNow(raw, after), log);
  if (signal?.aborted) await feed.close();
  signal?.addEventListener('abort', () => void feed.close(), { once: true });
  return feed;
}

/** Opens a change stream only for its first token, which the driver's stream would reveal only after its first wait. */
async function positionNow(raw: Collection, after: ResumeToken | undefined): Promise<ResumeToken> {
  if (after !== undefined) await checkToken(raw, after);
  const token = after ?? (await firstBatch(raw, {}, 0)).postBatchResumeToken?._data;
  if (token === undefined) throw new StorageError('unavailable', 'the server reported no resume token');
  return token as ResumeToken;
}

/** The server checks the position only when asked for an event. */
async function checkToken(raw: Collection, after: ResumeToken): Promise<void> {
  try {
    await firstBatch(raw, { resumeAfter: { _data: after } }, 1);
  } catch (error) {
    const mapped = storageError(error, raw.collectionName);
    if (mapped.code !== 'invalid') throw mapped;
    throw new StorageError(
      'history_lost',
      'the resume token belongs to another store; read everything again',
      {
        cause: error,
      },
    );
  }
}

interface FirstBatch {
  readonly id: unknown;
  readonly postBatchResumeToken?: { readonly _data: string };
}

async function firstBatch(raw: Collection, stage: object, batchSize: number): Promise<FirstBatch> {
  const opened = await raw.db.command({
    aggregate: raw.collectionName,
    pipeline: [{ $changeStream: stage }],
    cursor: { batchSize },
  });
  const cursor = opened['cursor'] as FirstBatch;
  await raw.db.command({ killCursors: raw.collectionName, cursors: [cursor.id] }).catch(() => {});
  return cursor;
}

class StreamFeed<D extends Document> implements ChangeFeed<D> {
  readonly #raw: Collection;
  readonly #log: Logger;
  readonly #closing = new AbortController();
  #stream: ChangeStream | undefined;
  #token: ResumeToken;

  constructor(raw: Collection, token: ResumeToken, log: Logger) {
    this.#raw = raw;
    this.#token = token;
    this.#log = log;
  }

  get token(): ResumeToken {
    return this.#token;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Change<D>> {
    try {
      while (!this.#closing.signal.aborted) {
        const event = await this.#next();
        if (event === undefined) return;
        const change = toChange<D>(event);
        this.#token = tokenOf(event);
        if (change !== undefined) yield change;
        // A batch from the server holds up to 16 MB of events; the driver decodes each event in `next`.
        if (turnIsOver()) await nextTurn();
      }
    } finally {
      // A reader that stops early may come back: then a new stream starts after the last change.
      await this.#endStream();
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#endStream();
  }

  async #endStream(): Promise<void> {
    const stream = this.#stream;
    this.#stream = undefined;
    await stream?.close().catch(() => {});
  }

  /** The next event, however often the connection is lost; undefined once the feed is closed. */
  async #next(): Promise<ChangeStreamDocument | undefined> {
    for (let failures = 0; ; failures++) {
      try {
        this.#stream ??= this.#open();
        const event = await this.#stream.next();
        if (failures > 0) this.#log.info({ collection: this.#raw.collectionName }, 'the change feed goes on');
        return event;
      } catch (error) {
        if (this.#closing.signal.aborted) return undefined;
        const mapped = storageError(error, this.#raw.collectionName);
        await this.#endStream();
        if (mapped.code !== 'unavailable') throw mapped;
        if (failures === 0)
          this.#log.warn(
            { collection: this.#raw.collectionName },
            'the change feed lost the server and tries again',
          );
        await delay(Math.min(100 * 2 ** failures, 2000), undefined, { signal: this.#closing.signal }).catch(
          () => {},
        );
        if (this.#closing.signal.aborted) return undefined;
      }
    }
  }

  #open(): ChangeStream {
    return this.#raw.watch([], {
      fullDocument: 'updateLookup',
      readConcern: { level: 'majority' },
      resumeAfter: { _data: this.#token },
    });
  }
}

function tokenOf(event: ChangeStreamDocument): ResumeToken {
  return (event._id as { _data: string })._data as ResumeToken;
}

/** Undefined for a put whose document has been deleted since: the deletion follows. */
function toChange<D extends Document>(event: ChangeStreamDocument): Change<D> | undefined {
  const token = tokenOf(event);
  switch (event.operationType) {
    case 'insert':
    case 'update':
    case 'replace': {
      const document = event.fullDocument as DriverDocument | null | undefined;
      if (document === null || document === undefined) return undefined;
      return { kind: 'put', id: String(event.documentKey._id), document: fromDriver(document) as D, token };
    }
    case 'delete':
      return { kind: 'delete', id: String(event.documentKey._id), token };
    case 'drop':
    case 'dropDatabase':
    case 'rename':
    case 'invalidate':
      throw new StorageError('history_lost', 'the collection was dropped or renamed; read everything again');
    default:
      return undefined;
  }
}
