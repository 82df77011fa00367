/** Folds old entries into summaries. The originals are archived, hidden, and can be restored until they are purged. */
import { setImmediate } from 'node:timers/promises';
import { newId, type Clock, type Filter, type Logger, type Models, isStorageError } from 'plugboard/sdk';
import { live, WITHOUT_VECTOR, type EntryDocument } from '../entries/document.js';
import type { ContentVectors, Entries } from '../entries/entries.js';
import { packMetadata } from '../entries/metadata.js';
import { upsertOf } from '../entries/write.js';
import type { LiveIndex } from '../live/live-index.js';
import type { Summarized } from '../schema/engine.js';
import { writeSummary } from './summary-model.js';
import { groupOriginals, planSummary, type Group, type Original, type SummaryPlan } from './summary-plan.js';

const DAY_MS = 86_400_000;

export interface SummarizeParts {
  readonly entries: Entries;
  readonly index: LiveIndex;
  readonly vectors: ContentVectors;
  readonly models: Models | undefined;
  /** A chat model that writes the summaries; undefined: extracts. */
  readonly summaryModel: string | undefined;
  /** Milliseconds for one summary by the model. */
  readonly timeout: number;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface SummarizeOrder {
  readonly olderThanDays: number;
  /** Absent: all owners, each for itself. */
  readonly owner?: string;
  readonly dryRun: boolean;
}

export class Summarize {
  readonly #parts: SummarizeParts;

  constructor(parts: SummarizeParts) {
    this.#parts = parts;
  }

  async run({ olderThanDays, owner, dryRun }: SummarizeOrder): Promise<Summarized> {
    let candidates = 0;
    let tokensSaved = 0;
    for (const group of groupOriginals(await this.#selected(olderThanDays, owner))) {
      // Comparing the entries of a group takes milliseconds, and there may be thousands of groups.
      await setImmediate();
      const extracts = planSummary(group, this.#cosines());
      if (extracts === null) continue;
      const plan = dryRun ? extracts : ((await this.#written(group)) ?? extracts);
      if (!dryRun && !(await this.#carryOut(plan))) continue;
      candidates += plan.originals.length;
      tokensSaved += plan.tokensBefore - plan.tokensAfter;
    }
    return { candidates, tokensSaved, dryRun };
  }

  /** Brings the originals of a summary back and removes it. Originals whose key is taken by now stay archived. */
  async restore(summaryId: string): Promise<{ restored: number; kept: number }> {
    const { entries } = this.#parts;
    const summary = await entries.get(summaryId);
    const originals = await entries.documents
      .find({ supersededBy: summaryId, archived: true }, { projection: WITHOUT_VECTOR })
      .toArray();
    let restored = 0;
    for (const { _id } of originals) {
      const update = {
        $set: { archived: false, archivedAt: null, supersededBy: null, externalStale: 1 as const },
        $inc: { revision: 1 },
      };
      try {
        if ((await entries.change({ _id, archived: true }, update)) !== null) restored += 1;
      } catch (error) {
        if (!isStorageError(error, 'duplicate_key')) throw error;
      }
    }
    const kept = originals.length - restored;
    if (kept === 0) await entries.remove(summary._id);
    return { restored, kept };
  }

  /** Summaries are not summed up again, and what expires by itself is left to that. */
  #selected(olderThanDays: number, owner: string | undefined): Promise<Original[]> {
    const { entries, clock } = this.#parts;
    const now = clock.now();
    const filter: Filter<EntryDocument> = {
      ...live(now),
      ...(owner === undefined ? {} : { apiKeyId: owner }),
      createdAt: { $lt: new Date(now - olderThanDays * DAY_MS) },
      expiresAt: null,
      summaryOf: null,
    };
    return entries.documents.find(filter, { projection: WITHOUT_VECTOR }).toArray();
  }

  /** The cosine of two entries, null where they have no vectors of one model; each vector is fetched once. */
  #cosines(): (a: Original, b: Original) => number | null {
    const vectors = new Map<string, Float32Array | undefined>();
    const vectorOf = ({ _id }: Original): Float32Array | undefined => {
      if (!vectors.has(_id)) vectors.set(_id, this.#parts.index.vector(_id));
      return vectors.get(_id);
    };
    return (a, b) => {
      if (a.vectorModel !== b.vectorModel) return null;
      const [left, right] = [vectorOf(a), vectorOf(b)];
      if (left === undefined || right === undefined || left.length !== right.length) return null;
      let sum = 0;
      for (let at = 0; at < left.length; at++) sum += left[at]! * right[at]!;
      return sum;
    };
  }

  /** Null where no model is set up for it. */
  async #written(group: Group): Promise<SummaryPlan | null> {
    const { models, summaryModel: model, timeout, log } = this.#parts;
    if (models === undefined || model === undefined) return null;
    return writeSummary(group, { models, model, timeout, log });
  }

  /**
   * The summary first, then its originals one by one: if the server dies in between, some entries are there twice
   * until the next run folds the rest, and none is lost. The key follows from the originals, so a run that comes
   * to the same group writes the same summary. False: an original was changed or deleted since it was selected, so
   * that the summary would tell what is no longer so; then nothing is left of it.
   */
  async #carryOut(plan: SummaryPlan): Promise<boolean> {
    if (!(await this.#holds(plan))) return false;
    const { entries, vectors, clock } = this.#parts;
    const now = new Date(clock.now());
    const known = await vectors.atOnce(plan.content);
    const entry = {
      apiKeyId: plan.owner,
      key: plan.key,
      type: 'semantic' as const,
      content: plan.content,
      sessionId: plan.session,
    };
    const { $set, ...rest } = upsertOf(entry, known, now, newId());
    const about = packMetadata({
      summaryOf: plan.originals.length,
      from: plan.originals[0]?.createdAt,
      to: plan.originals.at(-1)?.createdAt,
    });
    const { metadata: _none, ...onInsert } = rest.$setOnInsert as Record<string, unknown>;
    const summary = await entries.upsert(
      { apiKeyId: plan.owner, key: plan.key, archived: false },
      {
        ...rest,
        $set: { ...$set, summaryOf: plan.originals.length, metadata: about },
        $setOnInsert: onInsert,
      },
    );
    let archived = 0;
    for (const { _id, contentVersion } of plan.originals) {
      const changed = await entries.change(
        { _id, contentVersion, archived: false },
        {
          $set: {
            archived: true,
            archivedAt: now,
            supersededBy: summary._id,
            needsReindex: 0,
            externalStale: 1,
          },
          $inc: { revision: 1 },
        },
      );
      if (changed !== null) archived += 1;
    }
    if (archived === plan.originals.length) return true;
    await this.restore(summary._id);
    return false;
  }

  /** A model may have written the summary for a minute: whether all originals are as they were. */
  async #holds({ originals }: SummaryPlan): Promise<boolean> {
    const { entries, clock } = this.#parts;
    const ids = originals.map(({ _id }) => _id);
    const found = await entries.documents
      .find({ _id: { $in: ids }, ...live(clock.now()) }, { projection: { contentVersion: 1 } })
      .toArray();
    const versions = new Map(found.map(({ _id, contentVersion }) => [_id, contentVersion]));
    return originals.every(({ _id, contentVersion }) => versions.get(_id) === contentVersion);
  }
}
