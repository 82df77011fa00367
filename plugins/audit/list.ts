/** Pages of records, newest first. */
import type { AuditQuery, AuditRecord, Collection } from 'plugboard/sdk';
import { shown, type RecordDocument } from './record.js';

export async function listRecords(
  records: Collection<RecordDocument>,
  { limit, after, actor, action }: AuditQuery,
): Promise<{ records: AuditRecord[]; next: string | null }> {
  const filter = {
    ...(after !== undefined && { _id: { $lt: after } }),
    ...(actor !== undefined && { actor }),
    // All texts that begin so: the last code point is above every other.
    ...(action !== undefined && { action: { $gte: action, $lt: `${action}\u{10ffff}` } }),
  };
  const found = await records.find(filter, { sort: { _id: -1 }, limit: limit + 1 }).toArray();
  const page = found.slice(0, limit);
  return { records: page.map(shown), next: found.length > limit ? (page.at(-1)?._id ?? null) : null };
}
