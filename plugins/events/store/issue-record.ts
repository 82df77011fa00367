/** Issue events: a separate record, which names its repository by address. */
import type { IssueEventDocument } from './documents.js';
import { addressText, archiveText } from './text.js';
import { FULL_NAME, instant, matching, object, positive, RecordFault } from './record.js';

export interface IssueRecord {
  readonly id: number;
  /** `owner/name`; undefined if neither the record nor its address names one. */
  readonly repository: string | undefined;
  readonly at: Date;
}

/** Throws a `RecordFault` that names the field. */
export function readIssueRecord(value: unknown, now: number): IssueRecord {
  const record = object(value, 'event');
  const id = positive(record['id'], 'id');
  matching(record['event'], 'event', /^[a-z_]{1,100}$/, 'a name like "closed"');
  object(record['actor'] ?? {}, 'actor');
  object(record['issue'] ?? {}, 'issue');
  return {
    id,
    repository: repositoryOf(record['url']),
    at: instant(record['created_at'], 'created_at', now),
  };
}

/** From `https://host/repos/owner/name/issues/events/1`. */
function repositoryOf(url: unknown): string | undefined {
  if (typeof url !== 'string' || url.length > 2_000) return undefined;
  const parts = url.split('/');
  const at = parts.indexOf('repos');
  const name = at === -1 ? '' : `${parts[at + 1] ?? ''}/${parts[at + 2] ?? ''}`;
  return FULL_NAME.test(name) ? name : undefined;
}

export function issueEventDocument(record: IssueRecord, repo: number, line: string): IssueEventDocument {
  return { _id: String(record.id), repo, at: record.at, text: archiveText(line) };
}

export function unnamedRepository(): RecordFault {
  return new RecordFault(
    'url',
    'missing_field',
    'url must name the repository: .../repos/owner/name/issues/events/1',
  );
}

/** The record with an address, if it has none of its own. */
export function issueEventText(record: object, repository: string, id: number): string {
  const text = JSON.stringify(record);
  if ('url' in record) return text;
  return `{"url":${addressText(undefined, `repos/${repository}/issues/events/${id}`)},${text.slice(1)}`;
}
