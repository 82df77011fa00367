/** The audit port: who did what to the server, in a tamper-evident log. */

export type AuditOutcome =
  /** The work has begun; a record with the same request and a result follows, unless the server dies. */
  'started' | 'done' | 'refused' | 'failed';

/** What happened. Never a secret and never a body: names, ids and codes. */
export interface AuditEvent {
  /** `POST /api/keys`, `command keys revoke`, `login`, `reload`. */
  readonly action: string;
  readonly outcome: AuditOutcome;
  /** See `principalId`; `command line` for a command, `server` for its own actions. */
  readonly actor: string;
  /** The actor's readable name: a login, the name of a key. */
  readonly name?: string;
  readonly address?: string;
  /** What it acted on: a path, an id. */
  readonly target?: string;
  /** The names of the fields that were sent. */
  readonly fields?: readonly string[];
  /** The code of the error. */
  readonly reason?: string;
  /** The request id. */
  readonly request?: string;
  /** How often, if equal events of a minute share a record. */
  readonly count?: number;
}

/** A stored record. */
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

/** A result with its start time, or a start without a result: the operation is running or was cut off. */
export interface AuditOperation extends AuditRecord {
  /** ISO 8601. No part of the record, nor of its hash. */
  readonly startedAt?: string;
}

export interface AuditQuery {
  readonly limit: number;
  /** A cursor, `next` of the previous page: only older records. */
  readonly after?: string;
  readonly actor?: string;
  /** A prefix of the action. */
  readonly action?: string;
  /** One entry per operation, instead of the records of its start and its result. */
  readonly operations?: boolean;
}

export interface Audit {
  /** Resolves when the record, and its copy if one is required, is durable. Throws if it cannot be written. */
  record(event: AuditEvent): Promise<void>;
  /** Newest first. */
  list(query: AuditQuery): Promise<{ records: readonly AuditOperation[]; next: string | null }>;
}
