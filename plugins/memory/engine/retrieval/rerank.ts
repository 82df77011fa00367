/** Reorders the best hits by a rerank model. If it fails, the order is unchanged and the reason is reported. */
import type { Models } from 'plugboard/sdk';
import type { Hit } from '../base/attributes.js';
import type { EntryDocument } from '../entries/document.js';
import { ModelFailure, remoteFailure } from '../sources/failure.js';
import type { Outcomes } from '../sources/outcomes.js';
import type { Question } from './question.js';

export interface RerankInput {
  readonly hits: readonly Hit[];
  readonly question: Question;
  readonly model: string | null;
  readonly models: Models | undefined;
  readonly outcomes: Outcomes;
  /** Milliseconds. */
  readonly timeout: number;
  read(ids: readonly string[]): Promise<EntryDocument[]>;
}

export interface RerankOutcome {
  readonly hits: readonly Hit[];
  readonly applied: boolean;
  readonly reason: string | null;
}

/** Hits passed to the model; lower ones keep their order after them. */
const SHOWN = 50;

export async function rerank(input: RerankInput): Promise<RerankOutcome> {
  const { hits, model, models, outcomes } = input;
  if (model === null) return unchanged(hits, 'rerank_not_configured: rerankProviderModel is not set');
  if (models === undefined) return unchanged(hits, 'rerank_not_configured: no plugin provides models');
  try {
    const reordered = await ask(input, model, models);
    outcomes.succeeded(model);
    return { hits: reordered, applied: true, reason: null };
  } catch (error) {
    const failure = remoteFailure(error);
    outcomes.failed(model, failure);
    return unchanged(hits, `rerank_${failure.message}`);
  }
}

async function ask(
  { hits, question, timeout, read }: RerankInput,
  model: string,
  models: Models,
): Promise<Hit[]> {
  const shown = await read(hits.slice(0, SHOWN).map(({ id }) => id));
  const byId = new Map(hits.map((hit) => [hit.id, hit]));
  const deadline = AbortSignal.timeout(timeout);
  const { results } = await models.rerank(
    model,
    question.query,
    shown.map(({ content }) => content),
    {
      caller: question.caller,
      purpose: 'memory',
      signal: question.signal === undefined ? deadline : AbortSignal.any([question.signal, deadline]),
    },
  );
  const best = new Map<string, Hit>();
  for (const { index, score } of results) {
    const hit = byId.get(shown[index]?._id ?? '');
    // A document that the model lists twice keeps its first position.
    if (hit !== undefined && Number.isFinite(score) && !best.has(hit.id)) best.set(hit.id, { ...hit, score });
  }
  if (best.size === 0) throw new ModelFailure('remote_failed', 'the upstream answered no usable order');
  return [...best.values(), ...hits.filter(({ id }) => !best.has(id))];
}

function unchanged(hits: readonly Hit[], reason: string): RerankOutcome {
  return { hits, applied: false, reason };
}
