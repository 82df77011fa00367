/** A record, its canonical form and its hash. */
import { sha256, type AuditRecord, type Document } from 'plugboard/sdk';

/** As it is stored: `_id` orders by time, then by place in the chain. */
export interface RecordDocument extends Document {
  readonly chain: string;
  readonly seq: number;
  readonly at: Date;
  readonly actor: string;
  readonly action: string;
  /** Finds the result of a beginning, and the other way round. Records of before 2026-11-26 have it in the text alone. */
  readonly request?: string;
  /** The canonical JSON without the hash: what was hashed, letter for letter. */
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

/** Members in the order of their names (after RFC 8785; our values are texts, integers and lists of texts). */
function canonical(record: Unhashed): string {
  return JSON.stringify(Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1))));
}

function idOf(at: Date, chain: string, seq: number): string {
  return `${at.toISOString()} ${chain} ${String(seq).padStart(12, '0')}`;
}
