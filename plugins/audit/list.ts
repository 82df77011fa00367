/** Pages of records and of operations, newest first. */
import type { AuditOperation, AuditQuery, AuditRecord, Collection, Filter } from 'plugboard/sdk';
import { shown, type RecordDocument } from './record.js';

type Records = Collection<RecordDocument>;
interface Page<R> {
  readonly records: readonly R[];
  readonly next: string | null;
}

export async function listRecords(records: Records, query: AuditQuery): Promise<Page<AuditRecord>> {
  const found = await olderThan(records, query, query.after, query.limit + 1);
  return pageOf(found, query.limit, shown);
}

/** Omits the start record of a finished operation, wherever its result is. */
export async function listOperations(records: Records, query: AuditQuery): Promise<Page<AuditOperation>> {
  const { limit } = query;
  const found: RecordDocument[] = [];
  const startedAt = new Map<string, string>();
  for (let after = query.after; found.length <= limit;) {
    const read = await olderThan(records, query, after, limit + 1);
    const pairs = await pairsOf(records, read);
    const begun = new Set(Array.from(pairs, ([, start]) => start._id));
    for (const [result, start] of pairs) startedAt.set(result, start.at.toISOString());
    found.push(...read.filter(({ _id }) => !begun.has(_id)));
    after = read.at(-1)?._id;
    if (read.length <= limit) break;
  }
  return pageOf(found, limit, (document) => {
    const at = startedAt.get(document._id);
    return { ...shown(document), ...(at !== undefined && { startedAt: at }) };
  });
}

function olderThan(
  records: Records,
  { actor, action }: AuditQuery,
  after: string | undefined,
  limit: number,
): Promise<RecordDocument[]> {
  const filter: Filter<RecordDocument> = {
    ...(after !== undefined && { _id: { $lt: after } }),
    ...(actor !== undefined && { actor }),
    // A prefix range: the last code point is above every other.
    ...(action !== undefined && { action: { $gte: action, $lt: `${action}\u{10ffff}` } }),
  };
  return records.find(filter, { sort: { _id: -1 }, limit }).toArray();
}

function pageOf<R>(
  found: readonly RecordDocument[],
  limit: number,
  show: (one: RecordDocument) => R,
): Page<R> {
  const page = found.slice(0, limit);
  return { records: page.map(show), next: found.length > limit ? (page.at(-1)?._id ?? null) : null };
}

/** Start records by the id of their result, if either is in `read`. */
async function pairsOf(
  records: Records,
  read: readonly RecordDocument[],
): Promise<Map<string, RecordDocument>> {
  const requests = [...new Set(read.flatMap(({ request }) => request ?? []))];
  // An operation has two records; a request id that a client reuses has more.
  const limit = 4 * read.length;
  const also =
    requests.length === 0
      ? []
      : await records
          .find({ request: { $in: requests } }, { sort: { request: 1, _id: -1 }, limit })
          .toArray();
  const all = new Map([...read, ...also].map((document) => [document._id, document]));
  const pairs = new Map<string, RecordDocument>();
  const open = new Map<string, RecordDocument>();
  for (const document of [...all.values()].toSorted((one, other) => one.seq - other.seq)) {
    const { request, outcome } = shown(document);
    if (request === undefined) continue;
    const operation = `${document.chain} ${request}`;
    const start = open.get(operation);
    if (outcome === 'started') open.set(operation, document);
    else if (start !== undefined) {
      pairs.set(document._id, start);
      open.delete(operation);
    }
  }
  return pairs;
}
