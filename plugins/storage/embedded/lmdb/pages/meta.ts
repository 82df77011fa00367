/** The two meta pages of an lmdb file: each names the trees of one state, and the newer one counts. */
import { Damage } from '../damage.js';

/** One B+ tree: lmdb's `MDB_db`. */
export interface Tree {
  readonly flags: number;
  readonly depth: number;
  readonly entries: number;
  /** Undefined if the tree is empty. */
  readonly root: number | undefined;
}

export interface Meta {
  readonly pageSize: number;
  /** Counts the transactions that have committed. */
  readonly transaction: number;
  readonly lastPage: number;
  /** Lists the free pages. */
  readonly free: Tree;
  /** Names the other trees. */
  readonly main: Tree;
}

export const PAGE_HEAD = 24;
/** The length of an `MDB_db`. */
export const TREE_BYTES = 48;
const META_FLAG = 0x08;
const MAGIC = 0xbeefc0de;
const VERSION = 2;
const NO_PAGE = 2n ** 64n - 1n;
/** The bytes of a meta page that are in use. */
const META_BYTES = PAGE_HEAD + 144;

/** `bytes` starts with both pages. Throws `Damage`. */
export function newestMeta(bytes: Buffer): Meta {
  const first = readMeta(bytes, 0);
  const second = readMeta(bytes, first.pageSize);
  if (second.pageSize !== first.pageSize) throw new Damage('its two meta pages disagree on the page size');
  return first.transaction >= second.transaction ? first : second;
}

/** Reads the tree at `at`. */
export function readTree(bytes: Buffer, at: number): Tree {
  const root = bytes.readBigUInt64LE(at + 40);
  return {
    flags: bytes.readUInt16LE(at + 4),
    depth: bytes.readUInt16LE(at + 6),
    entries: number(bytes, at + 32),
    root: root === NO_PAGE ? undefined : number(bytes, at + 40),
  };
}

function readMeta(bytes: Buffer, at: number): Meta {
  if (at + META_BYTES > bytes.length) throw new Damage('it is too short for its meta pages');
  const page = bytes.subarray(at);
  const pageSize = page.readUInt32LE(48);
  if (
    (page.readUInt16LE(18) & META_FLAG) === 0 ||
    page.readUInt32LE(24) !== MAGIC ||
    (page.readUInt32LE(28) & 0xffff) !== VERSION
  )
    throw new Damage('a meta page does not begin as one');
  if (pageSize < 512 || pageSize > 65_536 || (pageSize & (pageSize - 1)) !== 0)
    throw new Damage('a meta page has an impossible page size');
  return {
    pageSize,
    transaction: number(page, 152),
    lastPage: number(page, 144),
    free: readTree(page, 48),
    main: readTree(page, 96),
  };
}

/** Reads a count or a page number. */
export function number(bytes: Buffer, at: number): number {
  const value = bytes.readBigUInt64LE(at);
  if (value > 2n ** 48n) throw new Damage('a number in it is impossibly large');
  return Number(value);
}
