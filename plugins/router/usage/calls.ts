/** Single calls as `GET /api/usage/calls` lists them: hour by hour, those first that ended last, a page at a time. */
import { decodeCursor, encodeCursor, nextTurn } from 'plugboard/sdk';
import { errors } from '../errors.js';
import { callsOf } from './hour-page.js';
import type { Range } from './range.js';
import type { UsageRecord } from './record.js';
import type { HourOfCalls, Place, UsageStore } from './store.js';
import type { UsageOwner } from './sums.js';

export interface CallFilter {
  readonly key?: string;
  readonly model?: string;
  readonly upstream?: string;
}

export interface CallPage {
  readonly data: readonly UsageRecord[];
  /** For the next page; null on the last one. A page may be empty and still have one. */
  readonly next: string | null;
}

/** Calls that one request looks at. */
const LOOKED_AT = 50_000;

export async function listCalls(
  store: Pick<UsageStore, 'hoursBefore'>,
  range: Range,
  filter: CallFilter,
  { limit, after }: { readonly limit: number; readonly after: string | undefined },
): Promise<CallPage> {
  const place = after === undefined ? undefined : placeOf(after);
  const data: UsageRecord[] = [];
  let looked = 0;
  for await (const hour of store.hoursBefore(range, place)) {
    const calls = callsOf(hour.hour, hour.calls);
    const from = hour._id === place?.id ? place.at : calls.length;
    for (let at = from - 1; at >= 0; at -= 1) {
      if (data.length === limit || looked === LOOKED_AT) return { data, next: cursorAt(hour, at + 1) };
      looked += 1;
      const call = calls[at];
      if (call !== undefined && isIn(range, call) && matches(filter, call)) data.push(call);
    }
    await nextTurn();
  }
  return { data, next: null };
}

function isIn({ from, to }: Range, { at }: UsageRecord): boolean {
  return at >= from && at < to;
}

/** `call`: a record, or a total of a day. */
export function matches({ key, model, upstream }: CallFilter, call: Omit<UsageOwner, 'day'>): boolean {
  return (
    (key === undefined || call.key === key) &&
    (model === undefined || call.model === model) &&
    (upstream === undefined || call.upstream === upstream)
  );
}

function cursorAt({ _id, hour }: HourOfCalls, at: number): string {
  return encodeCursor([hour.getTime(), _id, at]);
}

function placeOf(cursor: string): Place {
  const place = decodeCursor(cursor);
  if (Array.isArray(place)) {
    const [hour, id, at] = place as unknown[];
    if (Number.isSafeInteger(hour) && typeof id === 'string' && Number.isSafeInteger(at))
      return { hour: new Date(hour as number), id, at: Math.min(at as number, 100_000) };
  }
  throw errors.invalid_request({ values: { message: 'after must be the "next" of a page' }, param: 'after' });
}
