/** Pages for mem0's clients: from 1, with URLs of the next and previous page. */
import type { Request } from 'plugboard/sdk';

interface PageAsked {
  readonly page: number;
  readonly page_size: number;
}

export function pageOf({ page, page_size: limit }: PageAsked): { skip: number; limit: number } {
  return { skip: (page - 1) * limit, limit };
}

export function paged<T>(request: Request, count: number, results: T[]) {
  const { page, page_size: size } = request.query as PageAsked;
  const path = `${request.forwardedPrefix}${request.url.split('?', 1)[0] ?? ''}`;
  const at = (target: number): string => `${path}?page=${target}&page_size=${size}`;
  return {
    count,
    next: page * size < count ? at(page + 1) : null,
    previous: page > 1 ? at(page - 1) : null,
    results,
  };
}
