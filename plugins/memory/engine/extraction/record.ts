/** The result of each extraction; kept for a week, the turns only until they are read. */
import { Type, type CollectionSpec, type Document, type Static } from 'plugboard/sdk';
import type { Turn } from './turns.js';

export const Refused = Type.Object({
  fact: Type.String(),
  reason: Type.String({ description: 'a code, a colon and the detail: `number_not_said: 42`' }),
});
export type Refused = Static<typeof Refused>;

/** Fields shared by all facts of a conversation. */
export interface Belonging {
  readonly apiKeyId: string;
  readonly userId: string | null;
  readonly sessionId: string | null;
}

export interface ExtractionDocument extends Document, Belonging {
  readonly createdAt: Date;
  readonly state: 'waiting' | 'done' | 'failed';
  /** Turns from `from` on are read. */
  readonly turns: readonly Turn[];
  readonly from: number;
  /** Number of passages read. */
  readonly passages: number;
  /** Marks of the turns to read, see turns.ts. */
  readonly marks: readonly string[];
  /** Packed, see entries/metadata.ts. */
  readonly metadata: Readonly<Record<string, string>>;
  readonly validFrom: Date | null;
  readonly factsExpireAt: Date | null;
  /** Ids of the created memories. */
  readonly stored: readonly string[];
  /** Only the first. */
  readonly refused: readonly Refused[];
  readonly refusedCount: number;
  /** Code of the model's last failure. */
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
