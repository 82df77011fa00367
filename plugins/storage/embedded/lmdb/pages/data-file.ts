/**
 * The interface of this folder, the only code that knows lmdb's file layout. The rest of the store sees a state as its
 * meta pages: two pages at the start of the file that name every other page of the state.
 */
import { closeSync, existsSync, fdatasyncSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { Damage } from '../damage.js';
import { newestMeta } from './meta.js';
import { PageWalk, type PageEntry, type WalkOptions } from './walk.js';

export type { PageEntry };

/** Two meta pages of the largest page size. */
const LARGEST = 2 * 65_536;

/**
 * The meta pages, checked so that lmdb can open the file: it maps the pages that they name, and a page beyond the end
 * of the file kills the process. Undefined if there is no file yet. Throws `Damage`.
 */
export function checkedMetaPages(path: string): Buffer | undefined {
  if (!existsSync(path)) return undefined;
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    // lmdb has just created the file and not written to it yet.
    if (size === 0) return undefined;
    const metaPages = readMetaPages(file);
    const { free, main, pageSize } = newestMeta(metaPages);
    for (const { root } of [free, main])
      if (root !== undefined && (root + 1) * pageSize > size)
        throw new Damage('it is shorter than its meta pages say');
    return metaPages;
  } finally {
    closeSync(file);
  }
}

/** The meta pages, unchecked. Without `pageSize`, known for an open file, it is read from them: throws `Damage`. */
export function readMetaPages(file: number, pageSize?: number): Buffer {
  const pages = Buffer.alloc(pageSize === undefined ? LARGEST : 2 * pageSize);
  const head = pages.subarray(0, readSync(file, pages, 0, pages.length, 0));
  return pageSize === undefined ? head.subarray(0, 2 * newestMeta(head).pageSize) : pages;
}

/** Restores a state, provided that none of its pages was reused; on disk when it returns. */
export function writeMetaPages(path: string, metaPages: Buffer): void {
  const file = openSync(path, 'r+');
  try {
    for (let at = 0; at < metaPages.length;) at += writeSync(file, metaPages, at, metaPages.length - at, at);
    fdatasyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** The id of lmdb's transaction that committed this state. Throws `Damage`. */
export function transactionOf(metaPages: Buffer): number {
  return newestMeta(metaPages).transaction;
}

/** Every entry of the state, read and checked without lmdb; see `PageWalk`. */
export function walkPages(
  file: number,
  metaPages: Buffer,
  options?: WalkOptions,
): Generator<PageEntry, void> {
  return new PageWalk(file, metaPages, options).entries();
}
