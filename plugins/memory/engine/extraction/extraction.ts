/** Automatic memory: conversations are queued, and a job stores the facts that pass the gate. */
import { createHash } from 'node:crypto';
import {
  isServiceError,
  isStorageError,
  newId,
  nextTurn,
  type Clock,
  type Collection,
  type Filter,
  type Logger,
  type Models,
} from 'plugboard/sdk';
import { errors } from '../base/errors.js';
import type { Entries } from '../entries/entries.js';
import { packMetadata, unpackMetadata } from '../entries/metadata.js';
import type { WorkRun } from '../maintenance/marked-work.js';
import type { Retrieval } from '../retrieval/retrieval.js';
import type { FoundMemory } from '../retrieval/question.js';
import { SERVICE } from '../sources/remote-embedder.js';
import { factsOf, LONGEST_FACT, type Fact } from './asked-model.js';
import { refusalOf } from './gate.js';
import { KEPT_MS, type Belonging, type ExtractionDocument, type Refused } from './record.js';
import { mayEnd, saysAlready } from './repeats.js';
import { beginningOf, markOf, passagesOf, type Passage, type Turn } from './turns.js';

/** A conversation; its turns from `from` on are read. */
export interface Conversation extends Belonging {
  readonly turns: readonly Turn[];
  readonly from: number;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly validFrom?: Date;
  readonly factsExpireAt?: Date;
}

export interface ExtractionParts {
  readonly entries: Entries;
  readonly retrieval: Pick<Retrieval, 'retrieve'>;
  readonly models: Models;
  readonly model: string;
  /** Milliseconds per call. */
  readonly timeout: number;
  readonly records: Collection<ExtractionDocument>;
  /** Starts reading the queue soon. */
  nudge(): void;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Queued conversations per owner. */
const MOST_WAITING = 100;
/** Conversations read in parallel, each of a different owner. */
const SIDE_BY_SIDE = 4;
/** Maximum of queued and previously read conversations that are looked at. */
const LOOKED_AT = 1_000;
/** Notes shown to the model, and memories that a fact is compared with. */
const NEAREST = 10;
const LONGEST_QUERY = 2_000;
const ATTEMPTS = 3;
const FIRST_RETRY_MS = 5_000;
/** Refusals stored per conversation. */
const SHOWN = 50;

interface Outcome {
  readonly stored: string[];
  readonly refused: Refused[];
}

export class Extraction {
  readonly #parts: ExtractionParts;

  constructor(parts: ExtractionParts) {
    this.#parts = parts;
  }

  /** Queues a conversation; returns its record, or that of an earlier reading of the same turns. */
  async ask({ turns, from, metadata = {}, ...order }: Conversation): Promise<ExtractionDocument> {
    const { apiKeyId, userId, sessionId } = order;
    const places = turns.map((_, at) => at).slice(from);
    const marks = new Map(places.map((at) => [at, markOf(turns, at)]));
    const before = await this.#parts.records
      .find(
        { apiKeyId, userId, state: { $ne: 'failed' }, marks: { $in: [...marks.values()] } },
        { limit: LOOKED_AT, sort: { createdAt: -1 }, projection: { marks: 1 } },
      )
      .toArray();
    const known = new Set(before.flatMap((record) => record.marks));
    const first = places.find((at) => !known.has(marks.get(at)!));
    const last = first === undefined && before[0] ? { _id: before[0]._id } : undefined;
    const earlier = last && (await this.#parts.records.findOne(last, { projection: { turns: 0 } }));
    if (earlier) return earlier;
    if ((await this.#parts.records.countDocuments({ apiKeyId, state: 'waiting' })) >= MOST_WAITING)
      throw errors.extraction_busy({ values: { most: MOST_WAITING } });
    const now = this.#parts.clock.now();
    const record: ExtractionDocument = {
      _id: newId(),
      apiKeyId,
      userId,
      sessionId,
      createdAt: new Date(now),
      state: first === undefined ? 'done' : 'waiting',
      turns,
      from: first ?? turns.length,
      passages: 0,
      marks: [...marks.values()],
      metadata: packMetadata(metadata),
      validFrom: order.validFrom ?? null,
      factsExpireAt: order.factsExpireAt ?? null,
      stored: [],
      refused: [],
      refusedCount: 0,
      error: null,
      attempts: 0,
      retryAt: null,
      purgeAt: new Date(now + KEPT_MS),
    };
    await this.#parts.records.insertOne(record);
    this.#parts.nudge();
    return record;
  }

  async wanted(): Promise<boolean> {
    return (await this.#due()).length > 0;
  }

  /** Reads the whole queue. */
  async drain({ signal }: WorkRun): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const due = await this.#due();
      if (due.length === 0) return;
      await Promise.all(due.map((record) => this.#read(record, signal)));
    }
  }

  /** The oldest queued conversation of each owner: later statements are compared with earlier ones. */
  async #due(): Promise<ExtractionDocument[]> {
    const now = new Date(this.#parts.clock.now());
    const due: Filter<ExtractionDocument> = { $or: [{ retryAt: null }, { retryAt: { $lte: now } }] };
    const waiting = this.#parts.records.find(
      { state: 'waiting', ...due },
      { sort: { createdAt: 1 }, limit: LOOKED_AT, projection: { apiKeyId: 1 } },
    );
    const first = new Map<string, string>();
    for await (const { _id, apiKeyId } of waiting) if (!first.has(apiKeyId)) first.set(apiKeyId, _id);
    const ids = [...first.values()].slice(0, SIDE_BY_SIDE);
    return ids.length === 0 ? [] : this.#parts.records.find({ _id: { $in: ids } }).toArray();
  }

  async #read(record: ExtractionDocument, signal: AbortSignal): Promise<void> {
    const { clock, log, model } = this.#parts;
    const { _id, attempts } = record;
    try {
      const passages = passagesOf(record.turns, record.from);
      let { passages: done, stored, refused, refusedCount } = record;
      for (const passage of passages.slice(done)) {
        const outcome = await this.#readPassage(record, passage, signal);
        done += 1;
        stored = [...stored, ...outcome.stored];
        refusedCount += outcome.refused.length;
        refused = [...refused, ...outcome.refused].slice(0, SHOWN);
        await this.#parts.records.updateOne(
          { _id },
          { $set: { passages: done, stored, refused, refusedCount } },
        );
      }
      await this.#parts.records.updateOne({ _id }, { $set: { state: 'done', turns: [], error: null } });
    } catch (error) {
      if (signal.aborted || isStorageError(error)) throw error;
      log.warn({ err: error, model, extraction: _id }, 'a conversation could not be read for facts');
      const isLast = attempts + 1 >= ATTEMPTS;
      const retryAt = new Date(clock.now() + FIRST_RETRY_MS * 2 ** attempts);
      const next = isLast ? { state: 'failed' as const, turns: [] } : { retryAt };
      await this.#parts.records.updateOne(
        { _id },
        { $set: { ...next, error: isServiceError(error) ? error.code : 'failed', attempts: attempts + 1 } },
      );
    }
  }

  async #readPassage(record: ExtractionDocument, passage: Passage, signal: AbortSignal): Promise<Outcome> {
    const { turns, from } = passage;
    const said = turns.slice(from).map(({ text }) => text);
    const notes = await this.#nearest(record, said.join('\n').slice(-LONGEST_QUERY), signal);
    const contents = notes.map(({ content }) => beginningOf(content, LONGEST_FACT));
    const answered = await factsOf(passage, contents, this.#parts, signal);
    const outcome: Outcome = { stored: [], refused: [] };
    // If the person was erased meanwhile, nothing is stored.
    const isKept = await this.#parts.records.findOne({ _id: record._id }, { projection: { _id: 1 } });
    if (isKept === null) return outcome;
    if (answered === null) {
      outcome.refused.push({ fact: '', reason: 'answer_unreadable: the model answered no facts as JSON' });
      return outcome;
    }
    for (let at = 0; at < answered.malformed; at += 1)
      outcome.refused.push({
        fact: '',
        reason: 'malformed: a fact, its quote or its turn is missing or too long',
      });
    for (const fact of answered.facts) {
      await nextTurn();
      signal.throwIfAborted();
      const reason = refusalOf(fact, passage) ?? (await this.#store(record, passage, fact, notes, outcome));
      if (reason !== undefined) outcome.refused.push({ fact: fact.fact, reason });
    }
    return outcome;
  }

  /** Returns a reason if the fact is already known. If it may not end the memory that it names, both are kept. */
  async #store(
    record: ExtractionDocument,
    { turns }: Passage,
    { fact, quote, turn, supersedes = null }: Fact,
    notes: readonly FoundMemory[],
    { stored, refused }: Outcome,
  ): Promise<string | undefined> {
    const ended = supersedes === null ? undefined : notes[supersedes];
    const near = [...(await this.#nearest(record, fact)), ...notes];
    const known = near.filter(isShort).find(({ content }) => saysAlready(content, fact));
    if (known !== undefined) return `already_known: ${known.id}`;
    const { apiKeyId, userId, sessionId, metadata, validFrom, factsExpireAt, createdAt } = record;
    const { role } = turns[turn]!;
    const source = { quote, said: role, at: createdAt.toISOString() };
    const entry = {
      apiKeyId,
      userId,
      sessionId,
      key: `fact:${createHash('sha256')
        .update(JSON.stringify([markOf(turns, turn), fact]))
        .digest('hex')
        .slice(0, 16)}`,
      content: fact,
      type: 'factual' as const,
      metadata: { ...unpackMetadata(metadata), source },
      expiresAt: factsExpireAt?.toISOString() ?? null,
      ...(validFrom && { validFrom: validFrom.toISOString() }),
    };
    const { entries } = this.#parts;
    if (ended !== undefined && isShort(ended) && mayEnd(ended.content, fact)) {
      try {
        stored.push((await entries.supersede({ ...entry, supersedes: ended.id }))._id);
        return undefined;
      } catch (error) {
        if (!isServiceError(error)) throw error;
        refused.push({ fact, reason: `ends_nothing: ${error.code}` });
      }
    } else if (supersedes !== null)
      refused.push({
        fact,
        reason: `ends_nothing: note ${supersedes} does not say the same of the same one`,
      });
    stored.push((await entries.put(entry)).entry._id);
    return undefined;
  }

  async #nearest(
    { apiKeyId, userId }: Belonging,
    query: string,
    signal?: AbortSignal,
  ): Promise<readonly FoundMemory[]> {
    const { memories } = await this.#parts.retrieval.retrieve({
      query,
      strategy: 'hybrid',
      owner: apiKeyId,
      user: userId,
      limit: NEAREST,
      maxTokens: Number.MAX_SAFE_INTEGER,
      caller: SERVICE,
      ...(signal && { signal }),
    });
    return memories;
  }
}

/** Short enough to be compared with a fact: a few sentences. */
function isShort({ content }: FoundMemory): boolean {
  return content.length <= 2 * LONGEST_FACT;
}
