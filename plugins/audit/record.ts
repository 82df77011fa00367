/** A record, its canonical form and its hash. */
import { sha256, type AuditRecord, type Document } from 'plugboard/sdk';

/** As stored: `_id` orders by time, then by position in the chain. */
export interface RecordDocument extends Document {
  readonly chain: string;
  readonly seq: number;
  readonly at: Date;
  readonly actor: string;
  readonly action: string;
  /** Links the start and the result of an operation. Records before 2026-11-26 have it only in the text. */
  readonly request?: string;
  /** The canonical JSON without the hash: exactly what was hashed. */
  readonly text: string;
  readonly hash: string;
}

export type Unhashed = Omit<AuditRecord, 'hash'>;

export function sealed(record: Unhashed): RecordDocument {
  const text = canonical(record);
  const { chain, seq, actor, action, request } = record;
  const at = new Date(record.at);
  return {
    _id: idOf(at, chain, seq),
    chain,
    seq,
    at,
    actor,
    action,
    ...(request !== undefined && { request }),
    text,
    hash: sha256(text),
  };
}

export function shown({ text, hash }: Pick<RecordDocument, 'text' | 'hash'>): AuditRecord {
  return { ...(JSON.parse(text) as Unhashed), hash };
}

/** Members sorted by name (after RFC 8785; our values are texts, integers and lists of texts). */
function canonical(record: Unhashed): string {
  return JSON.stringify(Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1))));
}

function idOf(at: Date, chain: string, seq: number): string {
  return `${at.toISOString()} ${chain} ${String(seq).padStart(12, '0')}`;
}
