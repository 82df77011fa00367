/**
 * Synchronises the external store with the entries. What is out of date is recorded in the storage until the store has
 * it: entries by a flag, set in the write that changed them; deletions by a mark written before the entry is deleted.
 */
import type { Clock, Collection, Document, Storage } from 'plugboard/sdk';
import { live, type EntryDocument } from '../entries/document.js';
import { eachStep, type Walked } from '../entries/each-step.js';
import type { WorkRun } from '../maintenance/marked-work.js';
import { fromBytes } from '../entries/vector-bytes.js';
import type { Embeddings } from '../sources/embeddings.js';
import type { ExternalIndex } from './external-index.js';
import { toFailure, type ExternalCode } from './failure.js';
import type { QdrantCollection } from './qdrant.js';
import type { Target } from './stored-store.js';

const BATCH = 64;
/** A mark this old whose entry still exists belongs to a deletion that did not happen. */
const STALE_MARK_MS = 60_000;

interface DeletionMark extends Document {
  readonly at: Date;
}

export class ExternalSync {
  readonly #documents: Collection<EntryDocument>;
  readonly #marks: Collection<DeletionMark>;
  readonly #external: ExternalIndex;
  readonly #embeddings: Embeddings;
  readonly #clock: Clock;
  /** Why the last run ended early; null: it completed. */
  lastError: ExternalCode | null = null;

  constructor(
    storage: Storage,
    documents: Collection<EntryDocument>,
    external: ExternalIndex,
    embeddings: Embeddings,
    clock: Clock,
  ) {
    this.#documents = documents;
    this.#marks = storage.collection<DeletionMark>({
      name: 'external_deletions',
      indexes: [{ keys: { at: 1 } }],
    });
    this.#external = external;
    this.#embeddings = embeddings;
    this.#clock = clock;
  }

  /** Call before the entries are deleted. A store that was never set has nothing to delete. */
  async markDeletions(ids: readonly string[]): Promise<void> {
    if (!(await this.#external.store.read()).everSet) return;
    const at = new Date(this.#clock.now());
    await this.#marks.bulkWrite(
      ids.map((id) => ({ updateOne: { filter: { _id: id }, update: { $set: { at } }, upsert: true } })),
    );
  }

  async wanted(): Promise<boolean> {
    return (await this.#external.store.read()).target !== null;
  }

  async drain(run: WorkRun): Promise<void> {
    const { target, backfill } = await this.#external.store.read();
    if (target === null) return;
    const { signal } = run;
    try {
      if (backfill !== null) await this.#flagAll(backfill, run);
      const collection = await this.#external.collection(target);
      await this.#sendDeletions(collection, signal);
      await this.#sendHidden(collection, signal);
      await this.#sendEntries(collection, target, signal);
      this.lastError = null;
    } catch (error) {
      signal.throwIfAborted();
      this.lastError = toFailure(error).code;
      throw error;
    }
  }

  /** Flags every entry: the store in its present place may lack them. */
  async #flagAll(backfill: string, run: WorkRun): Promise<void> {
    const saved = run.checkpoint as (Walked & { readonly backfill: string }) | undefined;
    const walk = {
      ...run,
      checkpoint: saved?.backfill === backfill ? saved : undefined,
      save: (walked: Walked) => run.save({ ...walked, backfill }),
    };
    await eachStep(this.#documents, walk, async (ids) => {
      const filter = { _id: { $in: ids }, externalStale: 0 as const };
      return (await this.#documents.updateMany(filter, { $set: { externalStale: 1 } })).matched;
    });
    await this.#external.store.backfilled(backfill);
  }

  async #sendDeletions(collection: QdrantCollection, signal: AbortSignal): Promise<void> {
    let after = new Date(0);
    for (;;) {
      signal.throwIfAborted();
      const marks = await this.#marks
        .find({ at: { $gte: after } }, { sort: { at: 1 }, limit: BATCH })
        .toArray();
      const ids = marks.map(({ _id }) => _id);
      const there = await this.#documents.find({ _id: { $in: ids } }, { projection: { _id: 1 } }).toArray();
      const kept = new Set(there.map(({ _id }) => _id));
      const gone = ids.filter((id) => !kept.has(id));
      await collection.remove(gone);
      const undone = marks.filter(
        ({ _id, at }) => kept.has(_id) && at.getTime() < this.#clock.now() - STALE_MARK_MS,
      );
      const done = [...gone, ...undone.map(({ _id }) => _id)];
      await this.#marks.deleteMany({ _id: { $in: done } });
      const last = marks.at(-1);
      if (last === undefined || done.length === 0) return;
      after = last.at;
    }
  }

  /** Archived entries are removed from the store and stay in the storage. */
  async #sendHidden(collection: QdrantCollection, signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const hidden = await this.#documents
        .find({ externalStale: 1, archived: true }, { limit: BATCH, projection: { revision: 1 } })
        .toArray();
      if (hidden.length === 0) return;
      await collection.remove(hidden.map(({ _id }) => _id));
      await this.#settle(hidden);
    }
  }

  async #sendEntries(collection: QdrantCollection, target: Target, signal: AbortSignal): Promise<void> {
    // Unless the store has its own model, an entry is sent once it has its vector; reindexing sets the flag again.
    const ready =
      target.embeddingModel === null ? { needsReindex: 0 as const, vectorModel: { $ne: null } } : {};
    for (;;) {
      signal.throwIfAborted();
      const stale = await this.#documents
        .find({ externalStale: 1, ...ready, ...live(this.#clock.now()) }, { limit: BATCH })
        .toArray();
      if (stale.length === 0) return;
      const vectors = await this.#vectors(stale, target, signal);
      await collection.upsert(
        stale.flatMap((entry, at) => {
          const made = vectors[at];
          return made === undefined
            ? []
            : [{ id: entry._id, vector: made.vector, payload: payloadOf(entry, made.model) }];
        }),
      );
      await this.#settle(stale);
    }
  }

  async #vectors(
    entries: readonly EntryDocument[],
    { embeddingModel: model }: Target,
    signal: AbortSignal,
  ): Promise<({ vector: Float32Array; model: string } | undefined)[]> {
    if (model !== null) {
      const contents = entries.map(({ content }) => content);
      const vectors = await this.#embeddings.documents({ source: 'remote', model }, contents, signal);
      return vectors.map((vector) => ({ vector, model }));
    }
    return entries.map(({ vector, vectorModel }) =>
      vector === null || vectorModel === null ? undefined : { vector: fromBytes(vector), model: vectorModel },
    );
  }

  /** An entry that was written meanwhile stays flagged. */
  async #settle(sent: readonly Pick<EntryDocument, '_id' | 'revision'>[]): Promise<void> {
    await this.#documents.bulkWrite(
      sent.map(({ _id, revision }) => ({
        updateOne: { filter: { _id, revision }, update: { $set: { externalStale: 0 } } },
      })),
    );
  }
}

function payloadOf(entry: EntryDocument, model: string): Record<string, unknown> {
  return {
    apiKeyId: entry.apiKeyId,
    userId: entry.userId ?? null,
    sessionId: entry.sessionId,
    type: entry.type,
    key: entry.key,
    content: entry.content,
    model,
    createdAtUnix: entry.createdAt.getTime() / 1000,
    expiresAtUnix: entry.expiresAt === null ? null : entry.expiresAt.getTime() / 1000,
  };
}
