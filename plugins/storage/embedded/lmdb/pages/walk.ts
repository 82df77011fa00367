/**
 * Walks the trees of an lmdb file without lmdb. lmdb maps the file and trusts every page, so a bad page kills the
 * process with a signal; here it is an error with a message.
 */
import { fstatSync, readSync } from 'node:fs';
import { Damage } from '../damage.js';
import { newestMeta, number, PAGE_HEAD, readTree, TREE_BYTES, type Meta, type Tree } from './meta.js';

/** An entry of a leaf page; `value` is complete, also if it is on overflow pages. */
export interface PageEntry {
  readonly tree: string;
  readonly key: Buffer;
  readonly value: Buffer;
}

const BRANCH = 0x01;
const LEAF = 0x02;
const OVERFLOW = 0x04;
const KINDS = BRANCH | LEAF | OVERFLOW;
const BIG = 0x01;
const SUBTREE = 0x02;
const NODE_HEAD = 8;
/** Our name for the tree of free pages. */
const FREE = 'the free pages';
const MAIN = 'the main tree';
const DEEPEST = 32;

function isSmall(tree: string): boolean {
  return tree === MAIN || tree === 'catalog';
}

interface Bounds {
  /** Inclusive lower bound of the keys. */
  readonly low: Buffer | undefined;
  readonly high: Buffer | undefined;
}

const ANYWHERE: Bounds = { low: undefined, high: undefined };

interface Node {
  readonly key: Buffer;
  readonly flags: number;
  readonly page: number;
  readonly size: number;
  /** Offset of the value in the page. */
  readonly at: number;
}

export interface WalkOptions {
  /** False: the leaf pages of large trees are not read. */
  readonly leaves?: boolean;
  /** Called for each damaged page, whose subtree is skipped. Absent: the first damage is thrown. */
  readonly damaged?: (damage: Damage) => void;
}

/** Visits every page of a state, each tree in key order. */
export class PageWalk {
  readonly #file: number;
  readonly #meta: Meta;
  readonly #pages: number;
  readonly #used: Uint8Array;
  readonly #damaged: ((damage: Damage) => void) | undefined;
  readonly #leaves: boolean;

  constructor(file: number, metaPages: Buffer, { leaves = true, damaged }: WalkOptions = {}) {
    this.#file = file;
    this.#leaves = leaves;
    this.#meta = newestMeta(metaPages);
    this.#pages = Math.floor(fstatSync(file).size / this.#meta.pageSize);
    this.#used = new Uint8Array(Math.ceil(Math.max(this.#pages, 2) / 8));
    this.#damaged = damaged;
  }

  *entries(): Generator<PageEntry, void> {
    const free: Buffer[] = [];
    for (const entry of this.#tree(FREE, this.#meta.free)) {
      free.push(Buffer.from(entry.value));
      yield entry;
    }
    yield* this.#tree(MAIN, this.#meta.main);
    for (const list of free) this.#checkFree(list);
  }

  *#tree(name: string, tree: Tree): Generator<PageEntry, void> {
    if (tree.root === undefined) return;
    if (tree.depth > DEEPEST) return this.#tell(new Damage(`${name} is impossibly deep`));
    let entries = 0;
    for (const entry of this.#below(name, tree.root, tree.depth, ANYWHERE)) {
      if (entry.tree === name) entries++;
      yield entry;
    }
    if (entries !== tree.entries && (this.#leaves || isSmall(name)))
      this.#tell(new Damage(`${name} has ${entries} entries where ${tree.entries} are written down`));
  }

  *#below(tree: string, number: number, depth: number, bounds: Bounds): Generator<PageEntry, void> {
    if (depth === 1 && !this.#leaves && !isSmall(tree)) return;
    let page: Buffer;
    let nodes: Node[];
    try {
      page = this.#page(number);
      nodes = nodesOf(page, number, depth > 1 ? BRANCH : LEAF);
      if (tree !== FREE) checkOrder(nodes, number, depth > 1 ? 1 : 0, bounds);
    } catch (error) {
      this.#tell(error);
      return;
    }
    for (const [at, node] of nodes.entries()) {
      if (depth > 1) {
        const low = at === 0 ? bounds.low : node.key;
        yield* this.#below(tree, node.page, depth - 1, { low, high: nodes[at + 1]?.key ?? bounds.high });
        continue;
      }
      let value: Buffer;
      try {
        value = this.#value(page, number, node);
      } catch (error) {
        this.#tell(error);
        continue;
      }
      yield { tree, key: node.key, value };
      if ((node.flags & SUBTREE) !== 0) yield* this.#tree(nameOf(node.key), readTree(value, 0));
    }
  }

  #value(page: Buffer, number: number, node: Node): Buffer {
    if ((node.flags & BIG) === 0) {
      if ((node.flags & SUBTREE) !== 0 && node.size !== TREE_BYTES)
        throw new Damage(`page ${number} has a tree of a wrong length`);
      return page.subarray(node.at, node.at + node.size);
    }
    const first = page.readBigUInt64LE(node.at);
    const count = Math.floor((PAGE_HEAD - 1 + node.size) / this.#meta.pageSize) + 1;
    if (first > BigInt(this.#pages))
      throw new Damage(`page ${number} has a value beyond the end of the file`);
    const value = this.#page(Number(first), count);
    if ((value.readUInt16LE(18) & KINDS) !== OVERFLOW || value.readUInt32LE(20) !== count)
      throw new Damage(`page ${String(first)} is not the long value that page ${number} has there`);
    return value.subarray(PAGE_HEAD, PAGE_HEAD + node.size);
  }

  /** Reads one page, or a run of overflow pages; each may be used only once. */
  #page(page: number, count = 1): Buffer {
    const { pageSize } = this.#meta;
    if (page < 2 || page + count > this.#pages)
      throw new Damage(
        `page ${page} is beyond the end of the file, which has ${this.#pages} pages: it was shortened`,
      );
    for (let at = page; at < page + count; at++) {
      if (this.#isUsed(at)) throw new Damage(`page ${at} is used twice`);
      this.#used[at >> 3]! |= 1 << (at & 7);
    }
    const bytes = Buffer.allocUnsafe(pageSize * count);
    for (let at = 0; at < bytes.length;) {
      const read = readSync(this.#file, bytes, at, bytes.length - at, page * pageSize + at);
      if (read === 0) throw new Damage(`page ${page} is beyond the end of the file`);
      at += read;
    }
    if (number(bytes, 0) !== page) throw new Damage(`page ${page} has the number of another page`);
    if (number(bytes, 8) > this.#meta.transaction)
      throw new Damage(`page ${page} is newer than the rest, as when a file is copied while it is in use`);
    return bytes;
  }

  /** A free list: the number of entries, then pages; a negative entry is the length of a run that starts at the next. */
  #checkFree(list: Buffer): void {
    const entry = (at: number): number => Number(list.readBigInt64LE(8 * at));
    try {
      for (let at = 1; at <= entry(0); at++) {
        const length = entry(at) < 0 ? -entry(at++) : 1;
        const first = entry(at);
        if (first === 0) continue;
        if (first < 2 || first + length - 1 > this.#meta.lastPage)
          throw new Damage('its free pages lie beyond its end');
        for (let page = first; page < first + length && page < this.#pages; page++)
          if (this.#isUsed(page)) throw new Damage(`page ${page} is both free and in use`);
      }
    } catch (error) {
      this.#tell(error);
    }
  }

  #isUsed(page: number): boolean {
    return (this.#used[page >> 3]! & (1 << (page & 7))) !== 0;
  }

  #tell(error: unknown): void {
    const damage = error instanceof Damage ? error : new Damage('a length in it leads out of its page');
    if (this.#damaged === undefined) throw damage;
    this.#damaged(damage);
  }
}

/** Names end with a NUL byte. */
function nameOf(key: Buffer): string {
  return key.toString('latin1', 0, key.length - 1);
}

function nodesOf(page: Buffer, number: number, kind: number): Node[] {
  const flags = page.readUInt16LE(18);
  const lower = page.readUInt16LE(20);
  const upper = page.readUInt16LE(22);
  const room = page.length - PAGE_HEAD;
  if ((flags & (KINDS | 0x60)) !== kind)
    throw new Damage(`page ${number} is of another kind than its tree says`);
  if (lower % 2 !== 0 || lower > upper || upper > room)
    throw new Damage(`page ${number} has impossible bounds`);
  const nodes: Node[] = [];
  for (let at = 0; at < lower; at += 2) {
    const start = page.readUInt16LE(PAGE_HEAD + at);
    if (start < upper || start + NODE_HEAD > room)
      throw new Damage(`page ${number} has an entry outside of itself`);
    nodes.push(nodeAt(page, number, PAGE_HEAD + start, kind));
  }
  if (nodes.length === 0) throw new Damage(`page ${number} is empty`);
  return nodes;
}

function nodeAt(page: Buffer, number: number, at: number, kind: number): Node {
  const low = page.readUInt16LE(at) + page.readUInt16LE(at + 2) * 2 ** 16;
  const flags = page.readUInt16LE(at + 4);
  const keyEnd = at + NODE_HEAD + page.readUInt16LE(at + 6);
  const isBranch = kind === BRANCH;
  const inside = isBranch ? 0 : (flags & BIG) !== 0 ? 24 : low;
  if (keyEnd + inside > page.length) throw new Damage(`page ${number} has an entry that leaves it`);
  if (!isBranch && (flags & ~(BIG | SUBTREE)) !== 0)
    throw new Damage(`page ${number} has an entry of an unknown kind`);
  return {
    key: page.subarray(at + NODE_HEAD, keyEnd),
    flags: isBranch ? 0 : flags,
    page: isBranch ? low + flags * 2 ** 32 : 0,
    size: isBranch ? 0 : low,
    at: keyEnd,
  };
}

/** `from`: 1 for branch pages, whose first key is unused. */
function checkOrder(nodes: readonly Node[], number: number, from: number, { low, high }: Bounds): void {
  let before = low;
  for (const { key } of nodes.slice(from)) {
    const order = before === undefined ? -1 : Buffer.compare(before, key);
    if (
      order > 0 ||
      (order === 0 && before !== low) ||
      (high !== undefined && Buffer.compare(key, high) >= 0)
    )
      throw new Damage(`page ${number} has keys that are out of order`);
    before = key;
  }
}
