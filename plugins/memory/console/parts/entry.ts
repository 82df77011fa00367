/** Memories in the shape of the API. */
import type { MemoryTexts } from '../texts/en.js';

export const TYPES = ['factual', 'episodic', 'procedural', 'semantic'] as const;

export interface Entry {
  readonly id: string;
  readonly content: string;
  readonly key: string;
  readonly type: string;
  readonly sessionId: string | null;
  readonly apiKeyId: string | null;
  readonly userId: string | null;
  readonly expiresAt: string | null;
  readonly updatedAt: string;
  readonly needsReindex: 0 | 1;
}

export interface Found {
  readonly id: string;
  readonly type: string;
  readonly key: string;
  readonly content: string;
  readonly score: number;
  readonly tokens: number;
  readonly tier: string;
  readonly vecScore: number | null;
  readonly ftsScore: number | null;
}

/** Why an entry was recalled or not. */
export interface Explained {
  readonly id: string;
  readonly reason: keyof MemoryTexts['because'];
  readonly rank: number | null;
  readonly relevance: number | null;
  readonly vecScore: number | null;
  readonly tokens: number | null;
}

export interface Retrieved {
  readonly memories: readonly Found[];
  readonly resolution: {
    readonly embeddingModel: string | null;
    readonly strategyUsed: string;
    readonly rerankApplied: boolean;
    readonly fallbackReason: string | null;
  };
  /** For the requested entries. */
  readonly explained?: readonly Explained[];
  readonly totalTokensUsed: number;
  readonly budgetMaxTokens: number;
}

export interface Question {
  readonly query: string;
  readonly strategy: string;
  readonly maxTokens: number;
  readonly limit: number;
  readonly apiKeyId?: string;
  readonly userId?: string;
  readonly sessionId?: string;
  readonly type?: string;
}
