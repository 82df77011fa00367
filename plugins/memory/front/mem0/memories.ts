/** mem0's API on memory: the same entries, retrieval and rules under mem0's names. */
import {
  nextTurn,
  turnIsOver,
  type Clock,
  type Collection,
  type Filter,
  type Principal,
} from 'plugboard/sdk';
import { errors } from '../../engine/base/errors.js';
import { live, WITHOUT_VECTOR, type EntryDocument } from '../../engine/entries/document.js';
import type { Entries } from '../../engine/entries/entries.js';
import type { EntryChange } from '../../engine/entries/entry.js';
import { newestFirst } from '../../engine/entries/in-pages.js';
import { unpackMetadata } from '../../engine/entries/metadata.js';
import { assertChangeable } from '../../engine/entries/supersession.js';
import { keepState, statesOf } from '../../engine/entries/states.js';
import { holding } from '../../engine/entries/validity.js';
import type { Retrieval } from '../../engine/retrieval/retrieval.js';
import { isReached, type Reach } from '../api/owner.js';
import type { Extraction } from '../../engine/extraction/extraction.js';
import type { ExtractionDocument } from '../../engine/extraction/record.js';
import { conversationOf, fieldsOf, idsOf, saidIn, timesOf } from './addition.js';
import { EntityCount, storedId, type Entity, type EntityField, type EntityIds } from './entities.js';
import { readFilter, type Mem0Filter } from './filter.js';
import { newKey } from './key.js';
import { instantOf } from './operators.js';
import type { AddBody, BatchBody, ChangeBody } from './schema.js';

export interface Mem0Parts {
  readonly entries: Entries;
  readonly retrieval: Pick<Retrieval, 'retrieve'>;
  readonly clock: Clock;
  /** Undefined: every text is stored as it is. */
  readonly extraction: Pick<Extraction, 'ask'> | undefined;
  readonly records: Collection<ExtractionDocument>;
}

export interface Search {
  readonly query: string;
  readonly filters?: unknown;
  readonly metadata?: object | null;
  readonly top_k?: number | null;
  readonly threshold?: number | null;
  readonly reference_date?: string | number | null;
}

/** The default of mem0's service. */
const TOP_K = 10;
const THRESHOLD = 0.1;
/** mem0's names for the states of an extraction. */
export const EVENT_STATES = { waiting: 'PENDING', done: 'SUCCEEDED', failed: 'FAILED' } as const;
/** Entries per deletion. */
const BATCH = 500;
const LAST_DATE = new Date(8.64e15);

export class Mem0Memories {
  readonly #parts: Mem0Parts;

  constructor(parts: Mem0Parts) {
    this.#parts = parts;
  }

  /** Queues the messages for fact extraction; undefined: they are stored as they are, or extraction is not set up. */
  async infer(reach: Reach, body: AddBody): Promise<ExtractionDocument | undefined> {
    const { extraction } = this.#parts;
    if (extraction === undefined || body.infer === false) return undefined;
    return extraction.ask(conversationOf(body, reach.owner, this.#ownIds(reach, idsOf(body))));
  }

  /** The result of an addition: the extracted facts, or the stored texts. */
  async event(
    reach: Reach,
    id: string,
  ): Promise<{ state: keyof typeof EVENT_STATES; made: EntryDocument[] }> {
    const own = { apiKeyId: reach.owner, ...(reach.user !== undefined && { userId: reach.user }) };
    const record = await this.#parts.records.findOne({ _id: id, ...own }, { projection: { turns: 0 } });
    if (record === null) return { state: 'done', made: [await this.#reached(reach, id, 'read')] };
    return { state: record.state, made: await this.#parts.entries.byIds(record.stored) };
  }

  /** Stores the texts as they are. */
  async add(reach: Reach, body: AddBody): Promise<EntryDocument[]> {
    const ids = this.#ownIds(reach, idsOf(body));
    const fields = fieldsOf(body, ids);
    const said = saidIn(body.messages);
    const now = this.#parts.clock.now();
    const added: EntryDocument[] = [];
    for (const [at, { text }] of said.entries()) {
      // One after another, in the order of the messages.
      const createdAt = new Date(now - said.length + 1 + at);
      const entry = { ...fields, apiKeyId: reach.owner, key: newKey(), content: text };
      added.push((await this.#parts.entries.put(entry, { createdAt })).entry);
    }
    return added;
  }

  /** Best first. As in mem0 a score is a cosine, or the `relevance` where words say more. */
  async search(
    reach: Reach,
    { query, filters, metadata, top_k, threshold, reference_date }: Search,
    caller: Principal,
  ): Promise<{ entry: EntryDocument; score: number }[]> {
    const asked = readFilter(within(reach, [filters ?? {}, ...(metadata ? [{ metadata }] : [])]), {
      shared: true,
    });
    const asOf = instantOf(reference_date ?? null, 'reference_date') ?? undefined;
    const among = asked.test && new Set<string>();
    if (among !== undefined)
      for await (const { _id } of this.#passing(reach, asked, { shared: true, asOf })) among.add(_id);
    const { memories } = await this.#parts.retrieval.retrieve({
      query,
      strategy: 'hybrid',
      owner: reach.owner,
      user: asked.test === undefined ? asked.user : undefined,
      ...(asked.run !== undefined && { session: asked.run }),
      ...(among && { among, amongKey: JSON.stringify([reach.user, filters, metadata]) }),
      ...(asOf !== undefined && { asOf }),
      limit: top_k ?? TOP_K,
      maxTokens: Number.MAX_SAFE_INTEGER,
      caller,
    });
    const scores = new Map(
      memories.map(({ id, relevance, vecScore }) => [id, Math.min(1, Math.max(relevance, vecScore ?? 0))]),
    );
    const fit = memories.map(({ id }) => id).filter((id) => scores.get(id)! >= (threshold ?? THRESHOLD));
    const entries = await this.#parts.entries.byIds(fit);
    return entries.map((entry) => ({ entry, score: scores.get(entry._id)! }));
  }

  /** Newest first. */
  async list(
    reach: Reach,
    filters: readonly unknown[],
    { skip, limit }: { readonly skip: number; readonly limit: number },
  ): Promise<{ entries: EntryDocument[]; count: number }> {
    const asked = readFilter(within(reach, filters), { shared: false });
    const { documents } = this.#parts.entries;
    if (asked.test === undefined) {
      const filter = this.#stored(reach, asked, {});
      const sort = { createdAt: -1, _id: 1 } as const;
      const found = documents.find(filter, { sort, skip, limit, projection: WITHOUT_VECTOR });
      return { entries: await found.toArray(), count: await documents.countDocuments(filter) };
    }
    const entries: EntryDocument[] = [];
    let count = 0;
    for await (const entry of this.#passing(reach, asked, {})) {
      if (count >= skip && entries.length < limit) entries.push(entry);
      count += 1;
    }
    return { entries, count };
  }

  async get(reach: Reach, id: string): Promise<EntryDocument> {
    return this.#reached(reach, id, 'read');
  }

  /** The previous text stays in the history. */
  async change(reach: Reach, id: string, body: ChangeBody): Promise<EntryDocument> {
    const { entries, clock } = this.#parts;
    const before = await this.#reached(reach, id, 'change');
    const { text, metadata } = body;
    const { agent_id, app_id } = unpackMetadata(before.metadata);
    const patch: EntryChange = {
      ...(text && { content: text }),
      ...(metadata && {
        metadata: { ...metadata, ...(agent_id != null && { agent_id }), ...(app_id != null && { app_id }) },
      }),
      ...timesOf(body),
    };
    assertChangeable(before, patch);
    const isNew = patch.content !== undefined && patch.content !== before.content;
    if (isNew) await keepState(entries.documents, before, clock.now());
    return entries.update(id, patch);
  }

  /** Feedback is stored in the metadata. */
  async judge(reach: Reach, id: string, opinion: Readonly<Record<string, string | null>>): Promise<void> {
    const { metadata } = await this.#reached(reach, id, 'change');
    const members = Object.entries({ ...unpackMetadata(metadata), ...opinion });
    await this.#parts.entries.update(id, {
      metadata: Object.fromEntries(members.filter(([, value]) => value !== null)),
    });
  }

  /** `linked`: also deletes what it superseded; otherwise that is valid again. */
  async remove(reach: Reach, id: string, { linked }: { readonly linked: boolean }): Promise<void> {
    const { entries } = this.#parts;
    const entry = await this.#reached(reach, id, 'change');
    const older = linked
      ? (await this.#olderThan(entry)).filter((each) => isReached(reach, each, 'change'))
      : [];
    for (const each of older) await entries.remove(each._id);
    await entries.remove(id);
  }

  /** All, or none if one of them is missing or ended. */
  async changeAll(reach: Reach, memories: BatchBody['memories']): Promise<void> {
    for (const { memory_id, text } of memories)
      assertChangeable(await this.#reached(reach, memory_id, 'change'), text ? { content: text } : {});
    for (const { memory_id, ...change } of memories) await this.change(reach, memory_id, change);
  }

  /** All, or none if one of them is missing. */
  async removeEach(reach: Reach, ids: ReadonlySet<string>): Promise<void> {
    for (const id of ids) await this.#reached(reach, id, 'change');
    for (const id of ids) await this.remove(reach, id, { linked: false });
  }

  /** Deletes everything with these ids, including ended entries. */
  async removeAll(reach: Reach, asked: EntityIds): Promise<number> {
    const { entries } = this.#parts;
    const ids = Object.entries(this.#ownIds(reach, asked)) as [EntityField, string][];
    if (Object.keys(asked).length === 0) throw errors.mem0_entity_missing();
    const conditions = ids.map(([field, id]) => {
      const [path, stored] = storedId(field, id);
      return [path, id === '*' ? { $gt: '' } : stored];
    });
    const filter = { apiKeyId: reach.owner, ...Object.fromEntries(conditions) } as Filter<EntryDocument>;
    const isOfRecords = conditions.every(([path]) => path === 'userId' || path === 'sessionId');
    if (isOfRecords) await this.#parts.records.deleteMany(filter as Filter<ExtractionDocument>);
    for (let removed = 0; ;) {
      const found = await entries.documents.find(filter, { limit: BATCH, projection: { _id: 1 } }).toArray();
      removed += await entries.purge(found.map(({ _id }) => _id));
      if (found.length < BATCH) return removed;
    }
  }

  /** All texts of a memory, oldest first. */
  async history(reach: Reach, id: string): Promise<EntryDocument[]> {
    const entry = await this.#reached(reach, id, 'read');
    const older = (await this.#olderThan(entry)).filter((each) => isReached(reach, each, 'read'));
    return [...older, ...(await statesOf(this.#parts.entries.documents, entry)), entry];
  }

  async entities(reach: Reach): Promise<Entity[]> {
    const found = new EntityCount();
    const everything = readFilter(within(reach, []), { shared: false });
    for await (const entry of this.#passing(reach, everything, {})) found.add(entry);
    return found.all();
  }

  async *#passing(
    reach: Reach,
    asked: Mem0Filter,
    how: { readonly shared?: boolean; readonly asOf?: number | undefined },
  ): AsyncGenerator<EntryDocument, void> {
    const { documents } = this.#parts.entries;
    const filter = this.#stored(reach, asked, how);
    for await (const page of newestFirst(documents, filter, LAST_DATE, WITHOUT_VECTOR))
      for (const entry of page) {
        // Conditions on long texts take milliseconds per entry.
        if (turnIsOver()) await nextTurn();
        if (asked.test?.(entry) ?? true) yield entry;
      }
  }

  /** The part of a filter that the storage can look up. */
  #stored(
    { owner }: Reach,
    { user, run }: Mem0Filter,
    { shared = false, asOf }: { readonly shared?: boolean; readonly asOf?: number | undefined },
  ): Filter<EntryDocument> {
    const now = this.#parts.clock.now();
    return {
      apiKeyId: owner,
      ...(user !== undefined && { userId: shared ? { $in: [null, user] } : user }),
      ...(run !== undefined && { sessionId: run }),
      ...live(now),
      ...holding(asOf ?? now),
    };
  }

  async #reached(reach: Reach, id: string, to: 'read' | 'change'): Promise<EntryDocument> {
    const entry = await this.#parts.entries.get(id);
    if (!isReached(reach, entry, to)) throw errors.memory_not_found({ values: { id } });
    return entry;
  }

  /** Its predecessors, oldest first. */
  async #olderThan({ _id }: EntryDocument): Promise<EntryDocument[]> {
    const chain = await this.#parts.entries.history(_id);
    return chain.slice(chain.findIndex((each) => each._id === _id) + 1).toReversed();
  }

  /** A person is always the user and need not be named. */
  #ownIds({ user }: Reach, ids: EntityIds): EntityIds {
    if (user === undefined) return ids;
    if (ids.user_id !== undefined && ids.user_id !== user) throw errors.foreign_memory({ param: 'user_id' });
    return { ...ids, user_id: user };
  }
}

/** Combines all filters and, for a person, restricts them to their own entries. */
function within({ user }: Reach, filters: readonly unknown[]): unknown {
  return { AND: [...filters, ...(user === undefined ? [] : [{ user_id: user }])] };
}
