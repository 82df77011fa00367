/** Makes missing and outdated vectors, in batches, until none is left that can be made now. */
import { nextTurn, type Clock, type Filter, type JobRun, type Logger } from 'plugboard/sdk';
import { live, type EntryDocument } from '../entries/document.js';
import { eachStep, type Walked } from '../entries/each-step.js';
import type { Entries } from '../entries/entries.js';
import { toBytes } from '../entries/vector-bytes.js';
import type { Catalog } from '../live/catalog.js';
import type { Embeddings } from '../sources/embeddings.js';
import { ModelFailure, type ModelFailureCode } from '../sources/failure.js';
import type { SourceChoice } from '../sources/resolve.js';
import type { WorkRun } from './marked-work.js';
import { OutdatedVectors } from './outdated-vectors.js';

const BATCH = 64;
/** Name of the job that flags every entry. */
export const FLAG_ALL = 'flag every entry';
const FIRST_RETRY_MS = 5000;
const LAST_RETRY_MS = 3_600_000;

/** Local model servers respond to a text that is too long with a failure, or so late that the call times out. */
const UNCLEAR: ReadonlySet<ModelFailureCode> = new Set(['remote_failed', 'remote_timeout', 'local_failed']);

type Waiting = Pick<EntryDocument, '_id' | 'content' | 'contentVersion' | 'attempts' | 'vectorModel'>;
const WAITING = { content: 1, contentVersion: 1, attempts: 1, vectorModel: 1 } as const;

export class Reindex {
  readonly #entries: Entries;
  readonly #embeddings: Embeddings;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #outdated: OutdatedVectors;

  constructor(entries: Entries, catalog: Catalog, embeddings: Embeddings, clock: Clock, log: Logger) {
    this.#entries = entries;
    this.#embeddings = embeddings;
    this.#clock = clock;
    this.#log = log;
    this.#outdated = new OutdatedVectors(entries.documents, catalog, embeddings.outcomes, clock, log);
  }

  /** Flags every entry, so that all vectors are made again. */
  async flagAll(run: JobRun<undefined, Walked>): Promise<number> {
    const { documents } = this.#entries;
    if (run.checkpoint === undefined) this.#embeddings.forget();
    return eachStep(documents, run, async (ids) => {
      const { matched } = await documents.updateMany(
        { _id: { $in: ids }, archived: false },
        { $set: { needsReindex: 1, attempts: 0, retryAt: null }, $inc: { revision: 1 } },
      );
      // A restored entry gets its vector at that time.
      await documents.updateMany(
        { _id: { $in: ids }, archived: true },
        { $set: { vector: null, vectorModel: null }, $inc: { revision: 1 } },
      );
      return matched;
    });
  }

  /** Number of flagged live entries, whether due now or later. */
  pending(): Promise<number> {
    return this.#entries.documents.countDocuments({ needsReindex: 1, ...live(this.#clock.now()) });
  }

  /** Number of flagged entries, from the index; expired entries count until they are purged. */
  flagged(): Promise<number> {
    return this.#entries.documents.countDocuments({ needsReindex: 1 });
  }

  async wanted(): Promise<boolean> {
    const [choice] = (await this.#embeddings.resolve()).choices;
    if (choice === undefined) return false;
    return this.#outdated.exist(choice.model) || (await this.#due()).length > 0;
  }

  async drain({ signal, progress }: WorkRun): Promise<void> {
    let flaggedFor: string | undefined;
    let done = 0;
    for (;;) {
      signal.throwIfAborted();
      const { choices } = await this.#embeddings.resolve();
      const [choice, ...others] = choices;
      if (choice === undefined) return;
      const space = this.#outdated.spaceOf(choice.model) ?? choice.model;
      if (space !== flaggedFor) await this.#outdated.flag(choice.model);
      flaggedFor = space;
      const batch = await this.#due();
      if (batch.length === 0) return;
      await this.#embed(choice, others, batch, signal);
      done += batch.length;
      progress(done, done + (await this.flagged()));
      await nextTurn();
    }
  }

  /** Entries that failed before come last, so that they delay no others. */
  #due(): Promise<Waiting[]> {
    const now = this.#clock.now();
    const due: Filter<EntryDocument> = { $or: [{ retryAt: null }, { retryAt: { $lte: new Date(now) } }] };
    return this.#entries.documents
      .find(
        { needsReindex: 1, $and: [live(now), due] },
        { sort: { retryAt: 1, _id: 1 }, limit: BATCH, projection: WAITING },
      )
      .toArray();
  }

  /** A batch that fails because of its texts is halved until the text at fault is alone. */
  async #embed(
    choice: SourceChoice,
    others: readonly SourceChoice[],
    batch: readonly Waiting[],
    signal: AbortSignal,
  ): Promise<void> {
    const contents = batch.map(({ content }) => content);
    let vectors: Float32Array[];
    try {
      vectors = await this.#embeddings.documents(choice, contents, signal);
    } catch (error) {
      if (!(error instanceof ModelFailure)) throw error;
      signal.throwIfAborted();
      if (batch.length > 1 && (await this.#isOfTexts(error, choice, signal))) {
        const middle = batch.length >> 1;
        await this.#embed(choice, others, batch.slice(0, middle), signal);
        return this.#embed(choice, others, batch.slice(middle), signal);
      }
      this.#log.warn(
        { model: choice.model, entries: batch.length, reason: error.message },
        'embedding failed',
      );
      await Promise.all(batch.map((entry) => this.#postpone(entry)));
      return this.#standIn(others, batch, signal);
    }
    await Promise.all(batch.map((entry, at) => this.#store(entry, choice, vectors[at], 0)));
  }

  /**
   * Whether the texts caused the failure (one too long for the model, say), not the model: then a short text succeeds.
   */
  async #isOfTexts({ code }: ModelFailure, choice: SourceChoice, signal: AbortSignal): Promise<boolean> {
    if (code === 'remote_rejected') return true;
    return UNCLEAR.has(code) && (await this.#embeddings.answers(choice, signal));
  }

  async #postpone({ _id, contentVersion, attempts }: Waiting): Promise<void> {
    const delay = Math.min(FIRST_RETRY_MS * 2 ** attempts, LAST_RETRY_MS);
    const retryAt = new Date(this.#clock.now() + delay);
    await this.#entries.change(
      { _id, contentVersion, needsReindex: 1 },
      { $set: { retryAt }, $inc: { attempts: 1, revision: 1 } },
    );
  }

  /** Under `auto` an entry without a vector gets one of the next source until the first source works. */
  async #standIn(
    others: readonly SourceChoice[],
    batch: readonly Waiting[],
    signal: AbortSignal,
  ): Promise<void> {
    const bare = batch.filter(({ vectorModel }) => vectorModel === null);
    for (const choice of bare.length === 0 ? [] : others) {
      try {
        const vectors = await this.#embeddings.documents(
          choice,
          bare.map(({ content }) => content),
          signal,
        );
        await Promise.all(bare.map((entry, at) => this.#store(entry, choice, vectors[at], 1)));
        return;
      } catch (error) {
        if (!(error instanceof ModelFailure)) throw error;
      }
    }
  }

  /** Only for the content that was embedded: a later content gets its own vector. */
  async #store(
    { _id, contentVersion }: Waiting,
    { model }: SourceChoice,
    vector: Float32Array | undefined,
    needsReindex: 0 | 1,
  ): Promise<void> {
    if (vector === undefined) return;
    await this.#entries.change(
      { _id, contentVersion, needsReindex: 1 },
      {
        $set: {
          vector: toBytes(vector),
          vectorModel: model,
          externalStale: 1,
          needsReindex,
          ...(needsReindex === 0 ? { attempts: 0, retryAt: null } : {}),
        },
        $inc: { revision: 1 },
      },
    );
  }
}
