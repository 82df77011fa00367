/** What became of each conversation that was read for facts; kept for a week, the turns only until they are read. */
import { Type, type CollectionSpec, type Document, type Static } from 'plugboard/sdk';
import type { Turn } from './turns.js';

export const Refused = Type.Object({
  fact: Type.String(),
  reason: Type.String({ description: 'a code, a colon and what is at fault: `number_not_said: 42`' }),
});
export type Refused = Static<typeof Refused>;

/** What all facts of a conversation have. */
export interface Belonging {
  readonly apiKeyId: string;
  readonly userId: string | null;
  readonly sessionId: string | null;
}

export interface ExtractionDocument extends Document, Belonging {
  readonly createdAt: Date;
  readonly state: 'waiting' | 'done' | 'failed';
  /** Those from `from` on are read. */
  readonly turns: readonly Turn[];
  readonly from: number;
  /** Passages that were read. */
  readonly passages: number;
  /** What the turns that are read are known by, see turns.ts. */
  readonly marks: readonly string[];
  /** Packed, see entries/metadata.ts. */
  readonly metadata: Readonly<Record<string, string>>;
  readonly validFrom: Date | null;
  readonly factsExpireAt: Date | null;
  /** The ids of the memories that were made. */
  readonly stored: readonly string[];
  /** The first of them. */
  readonly refused: readonly Refused[];
  readonly refusedCount: number;
  /** The code of the last failure of the model. */
  readonly error: string | null;
  readonly attempts: number;
  readonly retryAt: Date | null;
  readonly purgeAt: Date;
}

export const KEPT_MS = 7 * 86_400_000;

export const EXTRACTIONS: CollectionSpec = {
  name: 'extractions',
  indexes: [
    { keys: { createdAt: -1, _id: 1 } },
    { keys: { apiKeyId: 1, createdAt: -1, _id: 1 } },
    { keys: { apiKeyId: 1, marks: 1 } },
    { keys: { state: 1, createdAt: 1 } },
    { keys: { apiKeyId: 1, state: 1 } },
    { keys: { purgeAt: 1 }, expireAfterSeconds: 0 },
  ],
};
