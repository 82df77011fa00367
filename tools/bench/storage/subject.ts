/** What every store is asked, and the documents of the bench. */

export interface Row {
  readonly _id: string;
  readonly owner: string;
  readonly createdAt: Date;
  readonly kind: string;
  readonly n: number;
  readonly title: string;
  readonly text: string;
}

export interface Subject {
  insertOne(row: Row): unknown;
  insertMany(rows: Row[]): unknown;
  byId(id: string): unknown;
  byIndex(kind: string, n: number): unknown;
  /** The 20 newest of an owner, by the compound index on owner and time. */
  page(owner: string): unknown;
  /** The 50 first of a kind from a number on, by the compound index on both. */
  list(kind: string, n: number): unknown;
  updateById(id: string): unknown;
  /** Reads every document. */
  scan(): unknown;
  close(): unknown;
}

export const OWNERS = 1_000;
const KINDS = ['note', 'task', 'event'];

export function rowAt(at: number): Row {
  return {
    _id: idAt(at),
    owner: `user${at % OWNERS}`,
    createdAt: new Date(1_700_000_000_000 + ((at * 7919) % 1_000_003) * 1000),
    kind: kindAt(at),
    n: at,
    title: `a title of some words ${at}`,
    text: 'lorem ipsum dolor sit amet '.repeat(10),
  };
}

export function idAt(at: number): string {
  return `d${String(at).padStart(8, '0')}`;
}

export function kindAt(at: number): string {
  return KINDS[at % KINDS.length] ?? 'note';
}
