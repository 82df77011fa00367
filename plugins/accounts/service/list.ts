/** Pages of accounts, newest first. */
import { decodeCursor, encodeCursor } from 'plugboard/sdk';
import { listNames } from '../account/lists.js';
import type { AccountDocument } from '../account/state.js';
import { accountAnswer } from '../answers/account.js';
import { Refused } from '../errors/errors.js';
import type { Platform } from '../platform/platforms.js';
import type { ListRequest } from '../schema/bodies.js';
import { stateOf, type AccountStore, type Place } from './store.js';

export interface Page {
  readonly data: readonly Record<string, unknown>[];
  /** The `page` value; undefined if there is nothing more. */
  readonly next: string | undefined;
  readonly previous: string | undefined;
}

export async function listAccounts(
  store: AccountStore,
  platform: Platform,
  request: ListRequest,
): Promise<Page> {
  const { limit, closed = false, applied_configurations: configurations, contact_email: email } = request;
  const place = request.page === undefined ? undefined : readPlace(request.page);
  const lists = listNames(platform.id, closed, {
    configurations: configurations ?? [],
    email,
    metadata: metadataOf(request),
  });
  // One extra row tells whether there is a next page.
  const found = await store.page(lists, place, limit + 1).toArray();
  const isMore = found.length > limit;
  const page = found.slice(0, limit);
  const back = place?.direction === 'before';
  if (back) page.reverse();
  const [first, last] = [page[0], page.at(-1)];
  return {
    data: page.map((document) => answerOf(document, platform)),
    next: last !== undefined && (back || isMore) ? placeOf(last, 'after') : undefined,
    previous:
      first !== undefined && (back ? isMore : place !== undefined) ? placeOf(first, 'before') : undefined,
  };
}

/** `metadata[team]=blue` */
export function metadataOf(request: ListRequest): [key: string, value: string][] {
  return Object.entries(request as Readonly<Record<string, unknown>>).flatMap(([name, value]) => {
    const key = /^metadata\[(.*)\]$/s.exec(name)?.[1];
    return key === undefined ? [] : [[key, String(value)]];
  });
}

function answerOf(document: AccountDocument, { livemode }: Platform): Record<string, unknown> {
  const { _id: id, createdAt, closed } = document;
  // Without includes the answer does not depend on the time.
  return accountAnswer({ id, createdAt, closed, livemode, state: stateOf(document), now: 0 }, []);
}

function placeOf({ createdAt, _id }: AccountDocument, direction: Place['direction']): string {
  return encodeCursor([createdAt.getTime(), _id, direction]);
}

function readPlace(page: string): Place {
  const [at, id, direction] = asArray(decodeCursor(page));
  if (
    typeof at !== 'number' ||
    !Number.isInteger(at) ||
    Math.abs(at) > 8.64e15 ||
    typeof id !== 'string' ||
    (direction !== 'after' && direction !== 'before')
  )
    throw new Refused({
      code: 'invalid_fields',
      message: 'page must come from next_page_url or previous_page_url',
    });
  return { at: new Date(at), id, direction };
}

function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
