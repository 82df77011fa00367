/** The time range of a usage query. */
import { errors } from '../errors.js';

const DAY = 86_400_000;
const DEFAULT_DAYS = 30;
/** A date, or a date-time with its offset: a local time without one would depend on the server's place. */
const MOMENT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** From `from`, included, to `to`, not included. Throws `invalid_request`. */
export function usageRange(query: { from?: string; to?: string }, now: number): { from: Date; to: Date } {
  // `now` itself is included: a record of this very millisecond is one that the caller may expect to see.
  const to = query.to === undefined ? new Date(now + 1) : moment('to', query.to);
  const from =
    query.from === undefined ? new Date(to.getTime() - DEFAULT_DAYS * DAY) : moment('from', query.from);
  if (from < to) return { from, to };
  throw errors.invalid_request({ values: { message: 'from must be before to' }, param: 'from' });
}

function moment(name: string, text: string): Date {
  const date = new Date(MOMENT.test(text) ? text : NaN);
  if (!Number.isNaN(date.getTime())) return date;
  const message = `${name} must be a date or a date-time with its offset, e.g. 2026-01-31 or 2026-01-31T09:00:00Z`;
  throw errors.invalid_request({ values: { message }, param: name });
}
