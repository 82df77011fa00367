/**
 * A Qdrant collection over Qdrant's REST interface: every call has a deadline, follows no redirect, and fails with a
 * code.
 */
import { request, type Dispatcher } from 'undici';
import { nameProblem, Type, Value } from 'plugboard/sdk';
import { ExternalFailure, statusCode, toFailure } from './failure.js';
import type { Target } from './stored-store.js';

export interface Point {
  /** The entry's id. */
  readonly id: string;
  readonly vector: Float32Array;
  readonly payload: Readonly<Record<string, unknown>>;
}

export interface FoundPoint {
  readonly id: string;
  /** Cosine. */
  readonly score: number;
  readonly payload: Record<string, unknown>;
}

export interface PointFilter {
  /** Absent: any owner. Null: the global pool. */
  readonly owner?: string | null;
  /** Absent: any end user. Otherwise entries of this end user and shared ones; null: shared ones only. */
  readonly user?: string | null;
  readonly session?: string;
  readonly type?: string;
  readonly among?: ReadonlySet<string>;
  /** The model that made the vectors. */
  readonly model: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export interface QdrantOptions {
  readonly dispatcher: Dispatcher;
  /** Milliseconds. */
  readonly timeout: number;
  readonly allowPrivate: boolean;
}

export class QdrantCollection {
  readonly #target: Target;
  readonly #options: QdrantOptions;

  constructor(target: Target, options: QdrantOptions) {
    this.#target = target;
    this.#options = options;
  }

  /** Resolves if the server of the collection answers and accepts the key. */
  async ping(): Promise<void> {
    await this.#exists();
  }

  async search(vector: Float32Array, filter: PointFilter, limit: number): Promise<FoundPoint[]> {
    const body = { vector: Array.from(vector), filter: qdrantFilter(filter), limit, with_payload: true };
    const result = await this.#call<unknown>('POST', '/points/search', body);
    if (!Value.Check(Found, result)) throw new ExternalFailure('unexpected_answer');
    return result.map(({ id, score, payload }) => ({
      id: String(id),
      score,
      payload: payload ?? {},
    }));
  }

  /** Creates the collection if it does not exist. Points with the same id are replaced. */
  async upsert(points: readonly Point[]): Promise<void> {
    const [first] = points;
    if (first === undefined) return;
    await this.#ensure(first.vector.length);
    const sent = points.map(({ id, vector, payload }) => ({ id, vector: Array.from(vector), payload }));
    await this.#call('PUT', '/points?wait=true', { points: sent });
  }

  /** Missing points, or a missing collection, are not an error. */
  async remove(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    try {
      await this.#call('POST', '/points/delete?wait=true', { points: ids });
    } catch (error) {
      if (toFailure(error).code !== 'collection_missing') throw error;
    }
  }

  async #exists(): Promise<boolean> {
    return (await this.#call<{ exists?: boolean }>('GET', '/exists'))?.exists === true;
  }

  async #ensure(size: number): Promise<void> {
    if (await this.#exists()) return this.#checkSize(size);
    await this.#call('PUT', '', { vectors: { size, distance: 'Cosine' }, ...this.#quantization() });
    for (const field_name of ['apiKeyId', 'userId', 'sessionId', 'type', 'model']) {
      await this.#call('PUT', '/index?wait=true', { field_name, field_schema: 'keyword' });
    }
  }

  async #checkSize(size: number): Promise<void> {
    const found = await this.#call<{ config?: { params?: { vectors?: { size?: number } } } }>('GET', '');
    if (found?.config?.params?.vectors?.size !== size) throw new ExternalFailure('dimension_mismatch');
  }

  #quantization() {
    switch (this.#target.quantization) {
      case 'int8':
        return { quantization_config: { scalar: { type: 'int8', always_ram: true } } };
      case 'binary':
        return { quantization_config: { binary: { always_ram: true } } };
      case 'none':
        return {};
    }
  }

  /** The `result` of the response. A literal address is not looked up, so it is checked here, on every call. */
  async #call<T>(method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<T | undefined> {
    const { endpoint, collection, apiKey } = this.#target;
    const { dispatcher, timeout, allowPrivate } = this.#options;
    const problem = nameProblem(endpoint.hostname, allowPrivate);
    if (problem !== null) throw new ExternalFailure(problem);
    try {
      const answer = await request(
        new URL(`/collections/${encodeURIComponent(collection)}${path}`, endpoint.url),
        {
          method,
          dispatcher,
          signal: AbortSignal.timeout(timeout),
          headers: {
            ...(body && { 'content-type': 'application/json' }),
            ...(apiKey !== null && { 'api-key': apiKey }),
          },
          ...(body && { body: JSON.stringify(body) }),
        },
      );
      if (answer.statusCode !== 200) {
        await answer.body.dump();
        throw new ExternalFailure(statusCode(answer.statusCode));
      }
      return ((await answer.body.json()) as { result?: T } | null)?.result;
    } catch (error) {
      throw toFailure(error);
    }
  }
}

/** The answer to a search. */
const Found = Type.Array(
  Type.Object({
    id: Type.Union([Type.String(), Type.Number()]),
    score: Type.Number(),
    payload: Type.Optional(Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()])),
  }),
);

/** The whole filter is part of the store's query: filtering its best k afterwards would leave too few. */
function qdrantFilter({ owner, user, session, type, among, model, now }: PointFilter) {
  return {
    must: [
      ...(owner === undefined ? [] : [ownerCondition(owner)]),
      ...(user === undefined ? [] : [userCondition(user)]),
      ...(session === undefined ? [] : [{ key: 'sessionId', match: { value: session } }]),
      ...(type === undefined ? [] : [{ key: 'type', match: { value: type } }]),
      ...(among === undefined ? [] : [{ has_id: [...among] }]),
      { key: 'model', match: { value: model } },
      {
        should: [{ is_null: { key: 'expiresAtUnix' } }, { key: 'expiresAtUnix', range: { gt: now / 1000 } }],
      },
    ],
  };
}

function ownerCondition(owner: string | null) {
  return owner === null ? { is_null: { key: 'apiKeyId' } } : { key: 'apiKeyId', match: { value: owner } };
}

function userCondition(user: string | null) {
  const none = { is_empty: { key: 'userId' } };
  return user === null ? none : { should: [none, { key: 'userId', match: { value: user } }] };
}
