/** Pages of events, newest first. */
import { decodeCursor, encodeCursor, type Filter } from 'plugboard/sdk';
import { Refused } from '../errors/errors.js';
import type { Platform } from '../platform/platforms.js';
import type { EventDocument } from './event.js';
import type { EventLog } from './event-log.js';
import type { EventQuery } from './schema.js';

export interface EventPage {
  readonly events: readonly EventDocument[];
  /** The `page` value of the next page; undefined on the last. */
  readonly next: string | undefined;
}

export async function listEvents(log: EventLog, platform: Platform, query: EventQuery): Promise<EventPage> {
  const { limit, page, object_id: subject, types } = query;
  const conditions: Filter<EventDocument>[] = [within(query)];
  if (subject !== undefined) conditions.push({ subject });
  if (types !== undefined) conditions.push({ type: { $in: types } });
  if (page !== undefined) conditions.push(after(page));
  // One extra row tells whether there is a next page.
  const found = await log.list(platform.id, { $and: conditions }, limit + 1);
  const events = found.slice(0, limit);
  const last = events.at(-1);
  const next = found.length > limit && last !== undefined;
  return { events, next: next ? encodeCursor([last.created.getTime(), last._id]) : undefined };
}

function within(query: EventQuery): Filter<EventDocument> {
  const bounds = (['gt', 'gte', 'lt', 'lte'] as const).flatMap((name): [string, Date][] => {
    const text = query[`created[${name}]`];
    return text === undefined
      ? []
      : [[`$${name}`, new Date(/^[0-9]+$/.test(text) ? Number(text) * 1_000 : text)]];
  });
  return bounds.length === 0 ? {} : { created: Object.fromEntries(bounds) };
}

function after(page: string): Filter<EventDocument> {
  const place = decodeCursor(page);
  const [at, id] = Array.isArray(place) ? (place as unknown[]) : [];
  if (typeof at !== 'number' || !Number.isInteger(at) || Math.abs(at) > 8.64e15 || typeof id !== 'string')
    throw new Refused({ code: 'invalid_fields', message: 'page is not one that this server has answered' });
  const created = new Date(at);
  return { $or: [{ created: { $lt: created } }, { created, _id: { $lt: id } }] };
}
