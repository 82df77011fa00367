/** A Qdrant collection through its official REST client: every call has a deadline, follows no redirect, and ends in a code. */
import { QdrantClient } from '@qdrant/js-client-rest';
import type { Dispatcher } from 'undici';
import { ExternalFailure, toFailure } from './failure.js';
import { nameProblem } from 'plugboard/sdk';
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
  /** Absent: whosever they are. Null: the global pool. */
  readonly owner?: string | null;
  /** Absent: whosever they are. Else what belongs to this end user and, as with null, to none. */
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
  readonly #api: ReturnType<QdrantClient['api']>;
  readonly #target: Target;
  readonly #options: QdrantOptions;

  constructor(target: Target, options: QdrantOptions) {
    // The key goes into each call's headers: given here, the client warns on the console about plain http. The
    // deadline goes here: the client puts a signal of its own in place of a call's.
    const { timeout } = options;
    this.#api = new QdrantClient({ url: target.endpoint.url, timeout, checkCompatibility: false }).api();
    this.#target = target;
    this.#options = options;
  }

  /** Resolves when the collection's server answers and, with the key it has, lets us in. */
  async ping(): Promise<void> {
    await this.#call((init) => this.#api.collectionExists(this.#named, init));
  }

  async search(vector: Float32Array, filter: PointFilter, limit: number): Promise<FoundPoint[]> {
    const body = {
      ...this.#named,
      vector: Array.from(vector),
      filter: qdrantFilter(filter),
      limit,
      with_payload: true,
    };
    const { data } = await this.#call((init) => this.#api.searchPoints(body, init));
    if (!Array.isArray(data.result)) throw new ExternalFailure('unexpected_answer');
    return data.result.map(({ id, score, payload }) => ({
      id: String(id),
      score: Number(score),
      payload: payload ?? {},
    }));
  }

  /** Makes the collection when it is not there. Points of equal id are replaced. */
  async upsert(points: readonly Point[]): Promise<void> {
    const [first] = points;
    if (first === undefined) return;
    await this.#ensure(first.vector.length);
    const body = {
      ...this.#named,
      wait: true,
      points: points.map(({ id, vector, payload }) => ({
        id,
        vector: Array.from(vector),
        payload: { ...payload },
      })),
    };
    await this.#call((init) => this.#api.upsertPoints(body, init));
  }

  /** Points that are not there are no error, and neither is a collection that is not. */
  async remove(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    try {
      await this.#call((init) =>
        this.#api.deletePoints({ ...this.#named, wait: true, points: [...ids] }, init),
      );
    } catch (error) {
      if (toFailure(error).code !== 'collection_missing') throw error;
    }
  }

  async #ensure(size: number): Promise<void> {
    const { data } = await this.#call((init) => this.#api.collectionExists(this.#named, init));
    if (data.result?.exists === true) return this.#checkSize(size);
    const body = { ...this.#named, vectors: { size, distance: 'Cosine' as const }, ...this.#quantization() };
    await this.#call((init) => this.#api.createCollection(body, init));
    for (const field_name of ['apiKeyId', 'userId', 'sessionId', 'type', 'model']) {
      const index = { ...this.#named, wait: true, field_name, field_schema: 'keyword' as const };
      await this.#call((init) => this.#api.createFieldIndex(index, init));
    }
  }

  async #checkSize(size: number): Promise<void> {
    const { data } = await this.#call((init) => this.#api.getCollection(this.#named, init));
    const vectors = data.result?.config.params.vectors as { size?: number } | undefined;
    if (vectors?.size !== size) throw new ExternalFailure('dimension_mismatch');
  }

  #quantization() {
    switch (this.#target.quantization) {
      case 'int8':
        return { quantization_config: { scalar: { type: 'int8' as const, always_ram: true } } };
      case 'binary':
        return { quantization_config: { binary: { always_ram: true } } };
      case 'none':
        return {};
    }
  }

  get #named(): { collection_name: string } {
    return { collection_name: this.#target.collection };
  }

  /** A literal address is connected to without a look-up, so it is checked here, at every call. */
  async #call<T>(send: (init: RequestInit) => Promise<T>): Promise<T> {
    const problem = nameProblem(this.#target.endpoint.hostname, this.#options.allowPrivate);
    if (problem !== null) throw new ExternalFailure(problem);
    const init: RequestInit = {
      // The same class, described once by undici and once by the types of Node's fetch.
      dispatcher: this.#options.dispatcher as unknown as NonNullable<RequestInit['dispatcher']>,
      redirect: 'error',
      ...(this.#target.apiKey === null ? {} : { headers: { 'api-key': this.#target.apiKey } }),
    };
    try {
      return await send(init);
    } catch (error) {
      throw toFailure(error);
    }
  }
}

/** All of it in the store's own query: what were left out behind its best k would leave too few. */
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
