/** The stored events, and the indexes by which the feeds read them. */
import type { CollectionSpec, Document, Filter } from 'plugboard/sdk';

export interface EventDocument extends Document {
  /** The event's id, which makes storing it twice harmless. */
  readonly _id: string;
  /** Ids of accounts and of the repository. */
  readonly actor: number;
  readonly repo: number;
  readonly org?: number;
  readonly public: boolean;
  readonly at: Date;
  /**
   * The response record as JSON: payload keys are free, and stores treat `$` and dots specially. U+0000, which JSON
   * never holds, is the placeholder for this server's address.
   */
  readonly text: string;
}

/** An issue event: a separate record format, listed only by repository. */
export interface IssueEventDocument extends Document {
  readonly _id: string;
  readonly repo: number;
  readonly at: Date;
  readonly text: string;
}

const DAY = 86_400;
const NEWEST = { at: -1, _id: -1 } as const;

/** Every feed is a range of one of these indexes, or a merge of such ranges. */
export function eventCollection(retentionDays: number): CollectionSpec {
  return {
    name: 'events',
    indexes: [
      { keys: { public: 1, ...NEWEST } },
      { keys: { repo: 1, public: 1, ...NEWEST } },
      { keys: { actor: 1, public: 1, ...NEWEST } },
      { keys: { org: 1, public: 1, ...NEWEST }, partial: { org: { $exists: true } } as Filter },
      { keys: { at: 1 }, expireAfterSeconds: retentionDays * DAY },
    ],
  };
}

export function issueEventCollection(retentionDays: number): CollectionSpec {
  return {
    name: 'issue_events',
    indexes: [{ keys: { repo: 1, ...NEWEST } }, { keys: { at: 1 }, expireAfterSeconds: retentionDays * DAY }],
  };
}
