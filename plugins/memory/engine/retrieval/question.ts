/** What is asked of retrieval, and what it answers. */
import type { Principal } from 'plugboard/sdk';
import type { EntryFilter } from '../base/attributes.js';
import { holdsAt } from '../entries/validity.js';
import type { Facts } from '../live/catalog.js';
import type { EntryType, Strategy } from '../base/schema.js';
import type { Retrieved } from './retrieved.js';

export interface Question {
  readonly query: string;
  readonly strategy: Strategy;
  /** Null: the global pool, and nothing else. */
  readonly owner: string | null;
  readonly session?: string;
  readonly type?: EntryType;
  /** The end user who asks; null: none, who finds what belongs to no end user; undefined: the owner, who finds all. */
  readonly user: string | null | undefined;
  /** Members of the metadata that an entry must have, as in a list. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** The entries that are let through; found before anything is searched, so that the best of them are the best there are. */
  readonly among?: ReadonlySet<string>;
  /** What `among` was asked for, as text, where it was not `metadata`: what was found before is found by it again. */
  readonly amongKey?: string;
  /** The instant at which the entries must hold, milliseconds. Default: now. */
  readonly asOf?: number;
  readonly limit: number;
  readonly maxTokens: number;
  /** Least cosine of an entry that shares no word with the query. Default: anything above 0. */
  readonly minSimilarity?: number;
  /** Least relevance, 0 to 1, see ranking/relevance.ts. Default: 0, whatever is found. */
  readonly minScore?: number;
  /** False: a query of stop words alone, such as "How are you?", asks for nothing. */
  readonly common?: boolean;
  /** On whose account models are called. */
  readonly caller: Principal;
  readonly signal?: AbortSignal;
}

export type Resolution = Retrieved['resolution'];
export type FoundMemory = Retrieved['memories'][number];
export type Tier = FoundMemory['tier'];

/** What the indexes let through for a question. */
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

/** The same for one entry that came another way: from an external store, or as the neighbour of a hit. */
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
