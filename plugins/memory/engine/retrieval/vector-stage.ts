/** The vector half of retrieval: the external store first if the settings say so, then the local index. */
import type { Clock } from 'plugboard/sdk';
import type { Hit } from '../base/attributes.js';
import { ExternalFailure } from '../external/failure.js';
import type { ExternalIndex } from '../external/external-index.js';
import type { Target } from '../external/stored-store.js';
import type { LiveIndex } from '../live/live-index.js';
import type { Spread } from '../ranking/fusion.js';
import type { Settings } from '../settings/settings.js';
import type { Embeddings } from '../sources/embeddings.js';
import { ModelFailure } from '../sources/failure.js';
import type { SourceChoice } from '../sources/resolve.js';
import { filterOf, isFor, type Question } from './question.js';

export interface VectorStage {
  readonly hits: readonly Hit[];
  /** Of the cosines of all compared entries; undefined if only the best are known. */
  readonly spread?: Spread;
  /** Cosines of the given entries with the query, by id; undefined if unknown. */
  readonly cosines?: (ids: readonly string[]) => ReadonlyMap<string, number>;
  /** What was searched; `none`: nothing could be, and `reason` says why. */
  readonly store: 'local' | 'external' | 'none';
  /** What embedded the query; null if nothing did. */
  readonly choice: SourceChoice | null;
  /** Kept if a later store or source succeeded. */
  readonly reason: string | null;
}

export interface VectorParts {
  readonly index: LiveIndex;
  readonly embeddings: Embeddings;
  readonly external: ExternalIndex;
  readonly clock: Clock;
}

interface VectorSearch {
  readonly question: Question;
  readonly settings: Settings;
  /** Maximum number of hits. */
  readonly depth: number;
}

/** Excludes orthogonal and opposite vectors. */
export const ABOVE_ZERO = 1e-6;

/** The store that the settings select; a null target: an external store that is selected but not set up. */
export type WantedStore = 'local' | { readonly target: Target | null };

export async function wantedStore(
  { store }: Pick<ExternalIndex, 'store'>,
  { vectorStore }: Pick<Settings, 'vectorStore'>,
): Promise<WantedStore> {
  if (vectorStore === 'local') return 'local';
  const { target } = await store.read();
  return vectorStore === 'auto' && target === null ? 'local' : { target };
}

export async function searchVectors(
  parts: VectorParts,
  search: VectorSearch,
  store: WantedStore,
): Promise<VectorStage> {
  if (store === 'local') return searchLocal(parts, search, null);
  const answer = await searchExternal(parts, search, store.target);
  return typeof answer === 'string' ? searchLocal(parts, search, answer) : answer;
}

/** Returns a text if the external store failed: the reason. */
async function searchExternal(
  { external, index, clock }: VectorParts,
  { question, settings, depth }: VectorSearch,
  target: Target | null,
): Promise<VectorStage | string> {
  const { query, owner, caller, signal, minSimilarity = ABOVE_ZERO } = question;
  if (target === null) return 'external_not_configured: the external store is turned off or has no host';
  try {
    const filter = filterOf(question);
    const asked = { query, owner, filter, limit: depth, caller, signal, settings };
    const { points, choice } = await external.search(target, asked);
    const hits = points.flatMap(({ id, score }): Hit[] => {
      const facts = index.catalog.get(id);
      return isFor(question, facts, clock.now()) && score >= minSimilarity
        ? [{ id, score, createdAt: facts.createdAt }]
        : [];
    });
    if (hits.length === 0) return 'external_empty: the external store found nothing';
    return { hits, store: 'external', choice, reason: null };
  } catch (error) {
    if (error instanceof ExternalFailure)
      return `external_${error.code}: the external store could not be used`;
    if (error instanceof ModelFailure) return error.message;
    throw error;
  }
}

async function searchLocal(
  { index, embeddings }: VectorParts,
  { question, settings, depth }: VectorSearch,
  earlier: string | null,
): Promise<VectorStage> {
  const { query, owner, caller, signal, minSimilarity = ABOVE_ZERO } = question;
  try {
    const { choice, vector, passedOver } = await embeddings.query(query, owner, { settings, caller, signal });
    const nearest = await index.vectors.nearest(choice.model, vector, {
      owner,
      limit: depth,
      minScore: minSimilarity,
      filter: filterOf(question),
    });
    const reason = earlier ?? passedOver;
    if (nearest?.hits.length || !index.lacksVectors(owner, choice.model, vector.length)) {
      const { hits, spread } = nearest ?? { hits: [], spread: undefined };
      const cosines = (ids: readonly string[]) => index.vectors.cosines(choice.model, vector, ids);
      return { hits, ...(spread && { spread }), cosines, store: 'local', choice, reason };
    }
    const missing = 'vectors_missing: the entries have no vectors of this model yet';
    return { hits: [], store: 'none', choice, reason: reason ?? missing };
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error;
    return { hits: [], store: 'none', choice: null, reason: earlier ?? error.message };
  }
}
