/** The audit port: who did what to the server, in a log that shows when it was changed. */

export type AuditOutcome =
  /** The work has begun; a record with the same request and a result follows, unless the server died. */
  'started' | 'done' | 'refused' | 'failed';

/** What happened. Never a secret and never a body: names, ids and codes. */
export interface AuditEvent {
  /** `POST /api/keys`, `command keys revoke`, `login`, `reload`. */
  readonly action: string;
  readonly outcome: AuditOutcome;
  /** See `principalId`; `command line` for a command, `server` for what it does by itself. */
  readonly actor: string;
  /** As people know the actor: a login, the name of a key. */
  readonly name?: string;
  readonly address?: string;
  /** What it was done to: a path, an id. */
  readonly target?: string;
  /** The names of the fields that were sent. */
  readonly fields?: readonly string[];
  /** The code of the error. */
  readonly reason?: string;
  /** The request id. */
  readonly request?: string;
  /** How often, where equal events of a minute are one record. */
  readonly count?: number;
}

/** A record as it is kept. */
export interface AuditRecord extends AuditEvent {
  /** The chain of one run of one instance. */
  readonly chain: string;
  /** From 1, without a gap. */
  readonly seq: number;
  /** ISO 8601. */
  readonly at: string;
  /** SHA-256 in hex of the record before, empty for the first of a chain. */
  readonly previous: string;
  /** SHA-256 in hex of this record without this field, as canonical JSON. */
  readonly hash: string;
}

/** A result, with when it was begun; or a beginning without a result, of what is under way or was cut off. */
export interface AuditOperation extends AuditRecord {
  /** ISO 8601. No part of the record, nor of its hash. */
  readonly startedAt?: string;
}

export interface AuditQuery {
  readonly limit: number;
  /** Records older than this place: `next` of the page before. */
  readonly after?: string;
  readonly actor?: string;
  /** Actions that begin so. */
  readonly action?: string;
  /** One for each operation, in the place of the records of its beginning and its result. */
  readonly operations?: boolean;
}

export interface Audit {
  /** Resolves when the record is durable, with its copy where one is required. Throws when it cannot be written. */
  record(event: AuditEvent): Promise<void>;
  /** Newest first. */
  list(query: AuditQuery): Promise<{ records: readonly AuditOperation[]; next: string | null }>;
}
