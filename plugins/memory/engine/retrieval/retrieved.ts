/** The result of retrieval. */
import { Type, type Static } from 'plugboard/sdk';
import { ENTRY_TYPES, nullable, oneOf, STRATEGIES } from '../base/schema.js';

const Count = Type.Integer({ minimum: 0 });
/** Null: the query was not embedded. */
export const EmbeddingSource = nullable(oneOf(['remote', 'static', 'transformers']));

export const Retrieved = Type.Object({
  memories: Type.Array(
    Type.Object({
      id: Type.String(),
      type: oneOf(ENTRY_TYPES),
      key: Type.String(),
      content: Type.String(),
      score: Type.Number({
        description: 'the sort key; comparable only within one response',
      }),
      relevance: Type.Number({
        description: 'from 0 to 1, independent of other hits; `minScore` is compared with it',
      }),
      tokens: Count,
      tier: oneOf(['fts5', 'vector', 'hybrid-rrf', 'external']),
      vecScore: nullable(Type.Number({ description: 'cosine of its vector and the query' })),
      outdatedBy: nullable(
        Type.String({
          description: 'another of these memories, which seems to be the current fact in its place',
        }),
      ),
      ftsScore: nullable(Type.Number({ description: 'BM25+ score; null: not among the best 200 by words' })),
    }),
  ),
  resolution: Type.Object({
    embeddingSource: EmbeddingSource,
    embeddingModel: nullable(Type.String()),
    vectorStore: oneOf(['local', 'external', 'none']),
    strategyUsed: oneOf(STRATEGIES),
    rerankApplied: Type.Boolean(),
    fallbackReason: nullable(Type.String()),
  }),
  totalTokensUsed: Count,
  budgetMaxTokens: Count,
});
export type Retrieved = Static<typeof Retrieved>;
