/** Pieces of HTTP that several services share: Link headers, entity tags and cursors. */
import { createHash } from 'node:crypto';

/** A Link header (RFC 8288) from relation to target, in the given order; undefined when there is none. */
export function linkHeader(links: Readonly<Record<string, string | undefined>>): string | undefined {
  const parts = Object.entries(links).flatMap(([rel, url]) =>
    url === undefined ? [] : [`<${url}>; rel="${rel}"`],
  );
  return parts.length === 0 ? undefined : parts.join(', ');
}

/**
 * The Link header of one page of a listing; undefined for the only page. `url` is absolute and percent-encoded; its
 * other parameters are kept. `page` counts from 1; `pages` is the number of pages.
 */
export function pageLinks(url: string, page: number, pages: number): string | undefined {
  const end = url.indexOf('?');
  const path = end === -1 ? url : url.slice(0, end);
  const at = (target: number): string => {
    const parameters = new URLSearchParams(url.slice(path.length));
    parameters.set('page', String(target));
    return `${path}?${parameters.toString()}`;
  };
  return linkHeader({
    prev: page > 1 && pages > 0 ? at(Math.min(page - 1, pages)) : undefined,
    next: page < pages ? at(page + 1) : undefined,
    last: page < pages ? at(pages) : undefined,
    first: page > 1 && pages > 0 ? at(1) : undefined,
  });
}

/** A strong entity tag over the bytes of a representation, quotes included. */
export function entityTag(representation: string | Uint8Array): string {
  return `"${createHash('sha256').update(representation).digest('base64url').slice(0, 27)}"`;
}

/** Whether an If-None-Match header (a list, weak tags, `*`) names the tag: weak comparison, RFC 9110 13.1.2. */
export function noneMatchHolds(header: string | undefined, tag: string): boolean {
  if (header === undefined) return true;
  // What nearly every client sends.
  if (header === tag) return false;
  if (header.trim() === '*') return false;
  const opaque = tag.replace(/^W\//, '');
  return !Array.from(header.matchAll(/(?:W\/)?("[^"]*")/g)).some(([, named]) => named === opaque);
}

/** An opaque place in a listing: JSON in base64url. */
export function encodeCursor(place: unknown): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

/** Undefined for a text that `encodeCursor` did not make. The caller checks the shape. */
export function decodeCursor(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}
