/** Incoming event records, from the API, other plugins and archives: all are checked here. */
import type { FieldError } from '../errors.js';

export interface AccountRecord {
  readonly id: number | undefined;
  readonly login: string;
  readonly imageId: string | undefined;
  readonly avatarUrl: string | undefined;
  readonly url: string | undefined;
}

export interface RepositoryRecord {
  readonly id: number | undefined;
  /** `owner/name` */
  readonly name: string;
  readonly url: string | undefined;
}

export interface EventRecord {
  readonly id: string | undefined;
  readonly type: string;
  readonly actor: AccountRecord;
  readonly repo: RepositoryRecord;
  readonly org: AccountRecord | undefined;
  readonly payload: object;
  readonly public: boolean | undefined;
  readonly at: Date | undefined;
}

/** An invalid record: thrown inside, answered by `readRecord`. */
export class RecordFault extends Error {
  readonly field: string;
  readonly code: FieldError['code'];

  constructor(field: string, code: FieldError['code'], message: string) {
    super(message);
    this.field = field;
    this.code = code;
  }
}

/** Clocks differ; a day ahead is a mistake, and would be first in every feed until then. */
const AHEAD = 24 * 60 * 60 * 1_000;

/** Throws a `RecordFault` that names the field. `now` in milliseconds. */
export function readRecord(value: unknown, now: number): EventRecord {
  const event = object(value, 'event');
  const org = event['org'];
  return {
    id: optional(event['id'], (id) =>
      matching(id, 'id', /^[!-~]{1,100}$/, '1 to 100 visible ASCII characters'),
    ),
    type: matching(event['type'], 'type', /^[A-Za-z]{1,100}$/, '1 to 100 letters'),
    actor: account(event['actor'], 'actor'),
    repo: repository(event['repo']),
    org: org === undefined || org === null ? undefined : account(org, 'org'),
    payload: object(event['payload'] ?? {}, 'payload'),
    public: optional(event['public'], (flag) => boolean(flag, 'public')),
    at: optional(event['created_at'], (text) => instant(text, 'created_at', now)),
  };
}

/** An account name: no slash, no white space. */
export const LOGIN = /^[^/\s\p{Cc}]{1,100}$/u;
/** `owner/name` */
export const FULL_NAME = /^[^/\s\p{Cc}]{1,100}\/[^/\s\p{Cc}]{1,100}$/u;

function account(value: unknown, field: string): AccountRecord {
  const from = object(value, field);
  return {
    id: optional(from['id'], (id) => positive(id, `${field}.id`)),
    login: matching(from['login'], `${field}.login`, LOGIN, 'a login'),
    imageId: optional(from['image_id'] ?? from['gravatar_id'], (text) => short(text, `${field}.image_id`)),
    avatarUrl: optional(from['avatar_url'], (text) => short(text, `${field}.avatar_url`)),
    url: optional(from['url'], (text) => short(text, `${field}.url`)),
  };
}

function repository(value: unknown): RepositoryRecord {
  const from = object(value, 'repo');
  return {
    id: optional(from['id'], (id) => positive(id, 'repo.id')),
    name: matching(from['name'], 'repo.name', FULL_NAME, 'owner/name'),
    url: optional(from['url'], (text) => short(text, 'repo.url')),
  };
}

export function object(value: unknown, field: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw fault(field, value, 'an object');
}

export function positive(value: unknown, field: string): number {
  if (Number.isSafeInteger(value) && (value as number) > 0) return value as number;
  throw fault(field, value, 'a positive integer');
}

function boolean(value: unknown, field: string): boolean {
  if (typeof value === 'boolean') return value;
  throw fault(field, value, 'true or false');
}

export function matching(value: unknown, field: string, pattern: RegExp, what: string): string {
  if (typeof value === 'string' && pattern.test(value)) return value;
  throw fault(field, value, what);
}

function short(value: unknown, field: string): string {
  if (typeof value === 'string' && value.length <= 2_000) return value;
  throw fault(field, value, 'a text of at most 2,000 characters');
}

/** ISO 8601 with a zone. */
export function instant(value: unknown, field: string, now: number): Date {
  const text = matching(value, field, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[.\dZ:+-]{1,20}$/, 'an ISO 8601 time');
  const at = Date.parse(text);
  if (Number.isNaN(at)) throw fault(field, value, 'an ISO 8601 time');
  if (at > now + AHEAD) throw new RecordFault(field, 'invalid', `${field} must not lie in the future`);
  return new Date(at);
}

function optional<T>(value: unknown, read: (value: unknown) => T): T | undefined {
  return value === undefined || value === null ? undefined : read(value);
}

function fault(field: string, value: unknown, what: string): RecordFault {
  return value === undefined || value === null
    ? new RecordFault(field, 'missing_field', `${field} is required`)
    : new RecordFault(field, 'invalid', `${field} must be ${what}`);
}
