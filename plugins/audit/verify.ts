/** Checks the chains: every record unchanged, none missing between the first and the head. */
import { createHash } from 'node:crypto';
import type { Chain, HeadDocument } from './chain.js';
import { shown, type RecordDocument } from './record.js';

export interface Fault {
  readonly chain: string;
  /** The number of the faulty record. */
  readonly seq: number;
  readonly fault: string;
}

export interface Verified {
  readonly records: number;
  readonly chains: number;
  /** Operations that were started and have no result: the server died, or they are running. */
  readonly open: number;
  readonly faults: readonly Fault[];
}

/** The most faults listed. */
const MOST_FAULTS = 100;

/** Records of a few hundred bytes. */
const PAGE = 1_000;

interface Seen {
  readonly seq: number;
  readonly hash: string;
}

/** Reads every record once, in pages; the heads first, as chains grow meanwhile. */
export async function verify({ records, heads }: Pick<Chain, 'records' | 'heads'>): Promise<Verified> {
  const known = new Map<string, HeadDocument>();
  for await (const head of heads.find({})) known.set(head._id, head);
  const last = new Map<string, Seen>();
  const begun = new Set<string>();
  const witnessed: { readonly chain: string; readonly head: Seen; readonly by: Fault }[] = [];
  const faults: Fault[] = [];
  let count = 0;
  for await (const record of inOrder(records)) {
    count += 1;
    const head = known.get(record.chain);
    const before = last.get(record.chain) ?? head?.removed ?? { seq: 0, hash: '' };
    const fault = faultOf(record, before, head);
    if (fault !== undefined && faults.length < MOST_FAULTS)
      faults.push({ chain: record.chain, seq: record.seq, fault });
    last.set(record.chain, { seq: record.seq, hash: record.hash });
    const { action, outcome, request, fields = [] } = shown(record);
    if (request !== undefined && outcome === 'started') begun.add(request);
    else if (request !== undefined) begun.delete(request);
    if (record.seq === 1 && action === 'chain begins') witnessed.push(...headsIn(fields, record));
  }
  for (const [chain, head] of known) {
    const seen = last.get(chain) ?? head.removed ?? { seq: 0 };
    if (seen.seq < head.seq)
      faults.push({ chain, seq: seen.seq + 1, fault: `missing: the chain goes on to ${head.seq}` });
  }
  for (const { chain, head, by } of witnessed)
    if (!known.has(chain) && !last.has(chain)) faults.push({ ...by, chain, seq: head.seq, fault: by.fault });
  return { records: count, chains: last.size, open: begun.size, faults };
}

/** Chain by chain. In pages: one long read of the embedded store would retain overwritten data meanwhile. */
async function* inOrder(records: Chain['records']): AsyncGenerator<RecordDocument> {
  const byChain = { chain: 1, seq: 1 } as const;
  for (let after = ''; ;) {
    const first = await records.findOne({ chain: { $gt: after } }, { sort: byChain });
    if (first === null) return;
    after = first.chain;
    for (let from = first.seq; ;) {
      const filter = { chain: after, seq: { $gte: from } };
      const page = await records.find(filter, { sort: byChain, limit: PAGE }).toArray();
      yield* page;
      const end = page.at(-1);
      if (end === undefined || page.length < PAGE) break;
      from = end.seq + 1;
    }
  }
}

function faultOf(
  { seq, text, hash }: RecordDocument,
  before: Seen,
  head: HeadDocument | undefined,
): string | undefined {
  if (seq !== before.seq + 1) return `${seq - before.seq - 1} records before it are missing`;
  if (createHash('sha256').update(text).digest('hex') !== hash) return 'it was changed';
  const record = shown({ text, hash });
  if (record.seq !== seq || record.previous !== before.hash) return 'it does not follow the record before';
  return head?.seq === seq && head.hash !== hash ? 'it is not the record that the head names' : undefined;
}

/** The heads that the first record of a chain names: `<chain> <seq> <hash>`. */
function headsIn(fields: readonly string[], { chain: by }: RecordDocument) {
  return fields.map((field) => {
    const [chain = '', seq = '0', hash = ''] = field.split(' ');
    return {
      chain,
      head: { seq: Number(seq), hash },
      by: { chain, seq: Number(seq), fault: `the whole chain is missing, which ${by} names` },
    };
  });
}
