/** Pages of a listing, and the API's address for the caller. */
import { pageLinks, type Request } from 'plugboard/sdk';

const PER_PAGE = 30;
const MOST_PER_PAGE = 100;
/** Nobody has this many pages; a larger number would only make storage skip. */
const LAST_PAGE = 1_000_000;

export interface Page {
  readonly page: number;
  readonly perPage: number;
}

/** A value that is not a number counts as missing. */
export function pageOf({ page, per_page: perPage }: { page?: unknown; per_page?: unknown }): Page {
  return { page: between(page, 1, LAST_PAGE), perPage: between(perPage, PER_PAGE, MOST_PER_PAGE) };
}

/** The Link header of a page; undefined for the only one. */
export function linksOf(request: Request, { page, perPage }: Page, total: number): string | undefined {
  const { href } = new URL(request.url, originOf(request));
  return pageLinks(href, page, Math.max(1, Math.ceil(total / perPage)));
}

/** The address of the API with the instance's prefix, without a trailing slash. */
export function baseOf(request: Request): string {
  const { pathname } = new URL(request.url, originOf(request));
  return `${originOf(request)}${pathname.slice(0, Math.max(0, pathname.length - request.path.length))}`;
}

/** As the client addressed the server. A Host header may hold what a URL cannot. */
function originOf({ protocol, host }: Request): string {
  const origin = `${protocol}://${host}`;
  return URL.canParse(origin) ? origin : `${protocol}://localhost`;
}

function between(value: unknown, fallback: number, most: number): number {
  const number = typeof value === 'string' && /^[0-9]{1,9}$/.test(value) ? Number(value) : 0;
  return number === 0 ? fallback : Math.min(number, most);
}
