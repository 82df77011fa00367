/** Embeddings of a remote model, through the models port. */
import type { Models, Principal } from 'plugboard/sdk';
import type { Embedder, EmbedOptions } from '../embedding/embedder.js';
import { toUnit } from '../embedding/unit.js';
import { ModelFailure, remoteFailure } from './failure.js';

/** The principal for the service's own model calls: background work has no caller. */
export const SERVICE: Principal = Object.freeze({
  kind: 'plugin',
  id: 'memory',
  scopes: Object.freeze(['*']),
});

export interface RemoteCall {
  readonly caller: Principal;
  /** Milliseconds. */
  readonly timeout: number;
}

export class RemoteEmbedder implements Embedder {
  readonly source = 'remote';
  readonly model: string;
  readonly dimensions = null;
  readonly ownerDependent = false;
  readonly #models: Models;
  readonly #call: RemoteCall;

  constructor(model: string, models: Models, call: RemoteCall) {
    this.model = model;
    this.#models = models;
    this.#call = call;
  }

  async embedDocuments(texts: readonly string[], options: EmbedOptions = {}): Promise<Float32Array[]> {
    const timeout = AbortSignal.timeout(this.#call.timeout);
    const signal = options.signal === undefined ? timeout : AbortSignal.any([options.signal, timeout]);
    try {
      const { vectors } = await this.#models.embed(this.model, texts, {
        caller: this.#call.caller,
        purpose: 'memory',
        signal,
      });
      checkVectors(vectors, texts.length);
      return vectors.map((vector) => toUnit(vector.slice()));
    } catch (error) {
      throw timeout.aborted ? new ModelFailure('remote_timeout') : remoteFailure(error);
    }
  }

  async embedQuery(text: string, _owner: string | null, options: EmbedOptions = {}): Promise<Float32Array> {
    const [vector] = await this.embedDocuments([text], options);
    if (vector === undefined) throw new ModelFailure('remote_failed');
    return vector;
  }
}

function checkVectors(vectors: readonly Float32Array[], expected: number): void {
  const size = vectors[0]?.length ?? 0;
  const sound =
    vectors.length === expected &&
    size > 0 &&
    vectors.every((vector) => vector.length === size && vector.every(Number.isFinite));
  if (!sound) throw new ModelFailure('remote_failed', 'the upstream answered vectors that are not usable');
}
