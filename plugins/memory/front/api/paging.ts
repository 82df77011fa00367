/** The requested part of a list. */

export interface Page {
  readonly skip: number;
  readonly limit: number;
  /** From 1. */
  readonly page: number;
}

/** `offset` takes precedence over `page`; the page of an offset is the one that contains its first entry. */
export function pageOf({ limit, page, offset }: { limit: number; page: number; offset?: number }): Page {
  if (offset === undefined) return { skip: (page - 1) * limit, limit, page };
  return { skip: offset, limit, page: Math.floor(offset / limit) + 1 };
}

export function pagesOf(total: number, limit: number): number {
  return Math.ceil(total / limit);
}
