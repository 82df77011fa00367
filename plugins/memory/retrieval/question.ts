/** What is asked of retrieval, and what it answers. */
import type { Principal } from 'plugboard/sdk';
import type { Strategy } from '../schema/common.js';
import type { Preview } from '../schema/engine.js';

export interface Question {
  readonly query: string;
  readonly strategy: Strategy;
  /** Null: the global pool, and nothing else. */
  readonly owner: string | null;
  readonly session?: string;
  readonly limit: number;
  readonly maxTokens: number;
  /** Least cosine of an entry that shares no word with the query. Default: anything above 0. */
  readonly minSimilarity?: number;
  /** On whose account models are called. */
  readonly caller: Principal;
  readonly signal?: AbortSignal;
}

export type Retrieved = Preview;
export type Resolution = Preview['resolution'];
export type FoundMemory = Preview['memories'][number];
export type Tier = FoundMemory['tier'];
