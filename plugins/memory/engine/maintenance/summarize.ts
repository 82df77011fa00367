/**
 * Folds old entries into summaries, or near-duplicates into one of them. Originals are archived and can be restored
 * until they are purged.
 */
import {
  newId,
  nextTurn,
  type Clock,
  type Filter,
  type JobRun,
  type Logger,
  type Models,
} from 'plugboard/sdk';
import { live, WITHOUT_VECTOR, type EntryDocument } from '../entries/document.js';
import type { Changes } from '../entries/changes.js';
import type { ContentVectors, Entries } from '../entries/entries.js';
import { newestFirst } from '../entries/in-pages.js';
import { packMetadata } from '../entries/metadata.js';
import { freeKey } from '../entries/supersession.js';
import { upsertOf } from '../entries/write.js';
import type { LiveIndex } from '../live/live-index.js';
import type { Plan, Summarized } from './summarized.js';
import { writeSummary } from './summary-model.js';
import {
  groupOriginals,
  planFolds,
  type Fold,
  type Group,
  type SummaryPlan,
  type Written,
} from './summary-plan.js';
import type { Original } from './summary-gate.js';
import { Tally, type Totals } from './tally.js';

const DAY_MS = 86_400_000;
/** Plans shown by a dry run. */
const SHOWN = 20;
/** Entries folded per transaction, approximately: the commit costs more than its content. */
const TOGETHER = 100;

export interface SummarizeParts {
  readonly entries: Entries;
  readonly index: LiveIndex;
  readonly vectors: ContentVectors;
  readonly models: Models | undefined;
  /** The chat model that writes summaries; undefined: near-duplicates are folded and nothing is shortened. */
  readonly summaryModel: string | undefined;
  /** Milliseconds per summary. */
  readonly timeout: number;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface SummarizeOrder {
  readonly olderThanDays: number;
  /** Absent: all owners, each separately. */
  readonly owner?: string;
  readonly dryRun: boolean;
}

/** A group with its model-written summary, and what is left to fold. */
interface Worked extends Written {
  readonly left: readonly Original[];
}

export class Summarize {
  readonly #parts: SummarizeParts;

  constructor(parts: SummarizeParts) {
    this.#parts = parts;
  }

  /**
   * A dry run makes the same plans, including model calls, and shows the first of them; later groups are only counted.
   * A `run` that resumes after a crash finds what is left, and adds to the earlier counts.
   */
  async run(
    { olderThanDays, owner, dryRun }: SummarizeOrder,
    run?: Pick<JobRun<unknown, Totals>, 'checkpoint' | 'signal' | 'progress' | 'save'>,
  ): Promise<Summarized> {
    const tally = new Tally(run?.checkpoint);
    const plans: Plan[] = [];
    const count = async (done: readonly (SummaryPlan | Fold)[]): Promise<void> => {
      tally.done(done);
      if (done.length > 0) await run?.save(tally.totals);
    };
    const groups = groupOriginals(await this.#selected(olderThanDays, owner));
    const folds: Fold[] = [];
    for (const [at, group] of groups.entries()) {
      // Comparing the entries of a group takes milliseconds, and there may be thousands of groups.
      await nextTurn();
      run?.signal.throwIfAborted();
      const { plan, left, refused } =
        dryRun && plans.length >= SHOWN ? unwritten(group) : await this.#written(group);
      tally.refused(refused);
      const planned = planFolds({ ...group, originals: left }, this.#cosines());
      if (dryRun) {
        const work = plan === null ? planned : [plan, ...planned];
        plans.push(...work.slice(0, SHOWN - plans.length).map(shown));
        await count(work);
      } else {
        if (plan !== null && (await this.#carryOut(plan))) await count([plan]);
        folds.push(...planned);
        const changed = folds.reduce((sum, { originals }) => sum + originals.length + 1, 0);
        if (changed >= TOGETHER) await count(await this.#fold(folds.splice(0)));
      }
      run?.progress(at + 1, groups.length);
    }
    if (folds.length > 0) await count(await this.#fold(folds));
    return { ...tally.totals, dryRun, ...(dryRun && { plans }) };
  }

  /** Excludes summaries, and entries with an expiry. */
  async #selected(olderThanDays: number, owner: string | undefined): Promise<Original[]> {
    const { entries, clock } = this.#parts;
    const now = clock.now();
    const filter: Filter<EntryDocument> = {
      ...live(now),
      ...(owner === undefined ? {} : { apiKeyId: owner }),
      expiresAt: null,
      summaryOf: null,
      validUntil: null,
    };
    const found: Original[] = [];
    const before = new Date(now - olderThanDays * DAY_MS);
    for await (const page of newestFirst(entries.documents, filter, before, WITHOUT_VECTOR))
      found.push(...page);
    return found;
  }

  /** The cosine of two entries, null unless both have vectors of one model; fetches each vector once. */
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

  /** The model's summary of a group, if a model is configured. */
  async #written(group: Group): Promise<Worked> {
    const { models, summaryModel: model, timeout, log } = this.#parts;
    if (models === undefined || model === undefined) return unwritten(group);
    const written = await writeSummary(group, { models, model, timeout, log });
    if (written === null) return unwritten(group);
    return { ...written, left: written.refused.map(({ original }) => original) };
  }

  /** Returns the folds whose entries did not change since they were selected; they are stored in one transaction. */
  #fold(folds: readonly Fold[]): Promise<Fold[]> {
    return this.#parts.entries.together(async (changes) => {
      const holds = await this.#unchanged(changes, folds.flatMap(entriesOf));
      const done: Fold[] = [];
      for (const fold of folds) {
        const { kept, originals } = fold;
        if (!entriesOf(fold).every(holds)) continue;
        await changes.change({ _id: kept._id }, { $set: { folds: (kept.folds ?? 0) + originals.length } });
        await this.#archive(changes, originals, kept._id);
        done.push(fold);
        // Lets other requests in between.
        await nextTurn();
      }
      return done;
    });
  }

  /**
   * The key is derived from the originals, so a run for the same group writes the same summary. False if an original
   * was changed or deleted since it was selected: the summary would be outdated.
   */
  async #carryOut(plan: SummaryPlan): Promise<boolean> {
    const { entries, vectors, clock } = this.#parts;
    const { owner, user, session, key, content, originals } = plan;
    const known = await vectors.atOnce(content);
    const entry = {
      apiKeyId: owner,
      userId: user,
      key,
      type: 'semantic' as const,
      content,
      sessionId: session,
    };
    const { $set, ...rest } = upsertOf(entry, known, new Date(clock.now()), newId());
    const about = packMetadata({
      summaryOf: originals.length,
      from: originals[0]?.createdAt,
      to: originals.at(-1)?.createdAt,
    });
    const { metadata: _none, ...onInsert } = rest.$setOnInsert as Record<string, unknown>;
    return entries.together(async (changes) => {
      if (!originals.every(await this.#unchanged(changes, originals))) return false;
      await freeKey(changes, { apiKeyId: owner, userId: user, key });
      const summary = await changes.upsert(
        { apiKeyId: owner, userId: user, key, archived: false },
        {
          ...rest,
          $set: { ...$set, summaryOf: originals.length, metadata: about },
          $setOnInsert: onInsert,
        },
      );
      await this.#archive(changes, originals, summary._id);
      return true;
    });
  }

  /** Archives them in favour of another entry. */
  async #archive(changes: Changes, originals: readonly Original[], supersededBy: string): Promise<void> {
    const archivedAt = new Date(this.#parts.clock.now());
    for (const { _id, contentVersion } of originals) {
      await changes.change(
        { _id, contentVersion, archived: false },
        {
          $set: { archived: true, archivedAt, supersededBy, needsReindex: 0, externalStale: 1 },
          $inc: { revision: 1 },
        },
      );
    }
  }

  /** Whether an original is unchanged: the model may have taken a minute. */
  async #unchanged(
    { documents }: Changes,
    originals: readonly Original[],
  ): Promise<(original: Original) => boolean> {
    const ids = originals.map(({ _id }) => _id);
    const found = await documents
      .find(
        { _id: { $in: ids }, ...live(this.#parts.clock.now()) },
        { projection: { contentVersion: 1, updatedAt: 1 } },
      )
      .toArray();
    const states = new Map(found.map((entry) => [entry._id, stateOf(entry)]));
    return (original) => states.get(original._id) === stateOf(original);
  }
}

function entriesOf({ kept, originals }: Fold): Original[] {
  return [kept, ...originals];
}

/** Changes with every change by a caller, not with background work. */
function stateOf({ contentVersion, updatedAt }: Pick<Original, 'contentVersion' | 'updatedAt'>): string {
  return `${contentVersion} ${updatedAt.getTime()}`;
}

function shown(plan: SummaryPlan | Fold): Plan {
  const { owner, user, session, originals } = plan;
  return {
    apiKeyId: owner,
    userId: user,
    sessionId: session,
    content: 'kept' in plan ? plan.kept.content : plan.content,
    standsFor: originals.map(({ _id, key, content }) => ({ id: _id, key, content })),
  };
}

function unwritten({ originals }: Group): Worked {
  return { plan: null, refused: [], left: originals };
}
