/** The two kinds of archive: how to read a line, and how to store a batch of records. */
import { hasLoneSurrogate, type Clock } from 'plugboard/sdk';
import type { Directory } from '../directory/directory.js';
import {
  issueEventDocument,
  readIssueRecord,
  unnamedRepository,
  type IssueRecord,
} from '../store/issue-record.js';
import { readRecord, RecordFault } from '../store/record.js';
import { archiveText } from '../store/text.js';
import type { EventWriter, Writable } from '../store/writer.js';

export interface Sink<R> {
  /** Throws a `RecordFault` for an invalid record. */
  read(line: string): R;
  /** Stores a batch, whole or not at all. */
  store(records: readonly R[]): Promise<Stored>;
}

export interface Stored {
  readonly stored: number;
  readonly known: number;
  readonly expired: number;
  /** In repositories that the directory does not know. */
  readonly unknown: number;
}

export function eventSink(writer: EventWriter, clock: Clock): Sink<Writable> {
  return {
    read: (line) => writable(line, clock.now()),
    async store(records) {
      const outcomes = await writer.write(records);
      const count = (wanted: string): number => outcomes.filter((outcome) => outcome === wanted).length;
      return {
        stored: count('stored'),
        known: count('known'),
        expired: count('expired'),
        unknown: count('unknown'),
      };
    },
  };
}

function writable(line: string, now: number): Writable {
  const value = parse(line);
  const { id, actor, repo, org, at, public: isPublic = true } = readRecord(value, now);
  if (id === undefined) throw missing('id');
  if (at === undefined) throw missing('created_at');
  if (actor.id === undefined) throw missing('actor.id');
  if (repo.id === undefined) throw missing('repo.id');
  if (org !== undefined && org.id === undefined) throw missing('org.id');
  const hasNoOrg = (value as { org?: unknown }).org === null;
  return {
    id,
    actor: actor as Writable['actor'],
    repo: repo as Writable['repo'],
    org: org as Writable['org'],
    public: isPublic,
    at,
    // A record without an organization has no such member.
    text: archiveText(hasNoOrg ? JSON.stringify({ ...(value as object), org: undefined }) : line),
  };
}

interface IssueLine extends IssueRecord {
  readonly text: string;
}

export function issueSink(writer: EventWriter, directory: Directory, clock: Clock): Sink<IssueLine> {
  return {
    read(line) {
      const record = readIssueRecord(parse(line), clock.now());
      if (record.repository === undefined) throw unnamedRepository();
      return { ...record, text: line };
    },
    async store(records) {
      const names = [...new Set(records.map(({ repository = '' }) => repository.toLowerCase()))];
      const repositories = await directory.repositories.find({ key: { $in: names } }).toArray();
      const ids = new Map(repositories.map(({ key, id }) => [key, id]));
      const documents = records.flatMap((record) => {
        const id = ids.get(record.repository?.toLowerCase() ?? '');
        return id === undefined ? [] : [issueEventDocument(record, id, record.text)];
      });
      const counts = await writer.writeIssueEvents(documents);
      return { ...counts, unknown: records.length - documents.length };
    },
  };
}

function parse(line: string): unknown {
  if (hasLoneSurrogate(line))
    throw new RecordFault('line', 'invalid', 'a string holds half of a surrogate pair');
  try {
    return JSON.parse(line) as unknown;
  } catch {
    throw new RecordFault('line', 'invalid', 'the line is not JSON');
  }
}

function missing(field: string): RecordFault {
  return new RecordFault(field, 'missing_field', `${field} is required`);
}
