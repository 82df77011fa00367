/** The input and output of retrieval. */
import type { Principal } from 'plugboard/sdk';
import type { EntryFilter } from '../base/attributes.js';
import { holdsAt } from '../entries/validity.js';
import type { Facts } from '../live/catalog.js';
import type { EntryType, Strategy } from '../base/schema.js';
import type { Retrieved } from './retrieved.js';

export interface Question {
  readonly query: string;
  readonly strategy: Strategy;
  /** Null: only the global pool. */
  readonly owner: string | null;
  readonly session?: string;
  readonly type?: EntryType;
  /** The end user asking; null: nobody, finds only shared entries; undefined: the owner, finds all. */
  readonly user: string | null | undefined;
  /** Required metadata members, as in a list. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** The entries allowed; computed before the search, so that the limit applies to allowed entries only. */
  readonly among?: ReadonlySet<string>;
  /** Cache key for `among`, unless it comes from `metadata`. */
  readonly amongKey?: string;
  /** The entries must be valid at this instant, milliseconds. Default: now. */
  readonly asOf?: number;
  readonly limit: number;
  readonly maxTokens: number;
  /** Minimum cosine of an entry that shares no word with the query. Default: anything above 0. */
  readonly minSimilarity?: number;
  /** Minimum relevance, 0 to 1, see ranking/relevance.ts. Default: 0, no minimum. */
  readonly minScore?: number;
  /** False: a query of stop words only, such as "How are you?", finds nothing. */
  readonly common?: boolean;
  /** Model calls are charged to this caller. */
  readonly caller: Principal;
  readonly signal?: AbortSignal;
}

export type Resolution = Retrieved['resolution'];
export type FoundMemory = Retrieved['memories'][number];
export type Tier = FoundMemory['tier'];

/** The index filter for a question. */
export function filterOf({ session, type, user, among, asOf }: Question): EntryFilter {
  return {
    ...(user === undefined ? {} : { user }),
    ...(session === undefined ? {} : { session }),
    ...(type === undefined ? {} : { type }),
    ...(among === undefined ? {} : { among }),
    ...(asOf === undefined ? {} : { asOf }),
  };
}

type Belonging = Pick<Facts, 'id' | 'owner' | 'user' | 'session' | 'type' | 'validFrom' | 'validUntil'>;

/** The same test for an entry that did not come from an index: from an external store, or a neighbour of a hit. */
export function isFor<F extends Belonging>(
  question: Question,
  facts: F | undefined,
  now: number,
): facts is F {
  return (
    facts !== undefined &&
    facts.owner === question.owner &&
    (facts.user === null || question.user === undefined || facts.user === question.user) &&
    (question.session === undefined || facts.session === question.session) &&
    (question.type === undefined || facts.type === question.type) &&
    holdsAt(facts, question.asOf ?? now) &&
    (question.among === undefined || question.among.has(facts.id))
  );
}
