/** The time range of a usage query, and how it falls into whole days and what is left at its ends. */
import { errors } from '../errors.js';
import { dayOf } from './sums.js';

const DAY = 86_400_000;
const DEFAULT_DAYS = 30;
/** A date, or a date-time with its offset: a local time without one would depend on the server's place. */
const MOMENT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/;

const DAY_FORM = /^\d{4}-\d{2}-\d{2}$/;

/** From `from`, included, to `to`, not included. */
export interface Range {
  readonly from: Date;
  readonly to: Date;
}

export interface RangeParts {
  /** Whole days (UTC), from the first to the one after the last; null when there is none. */
  readonly days: { readonly from: string; readonly to: string } | null;
  readonly edges: readonly Range[];
}

/** Throws `invalid_request`. `from` defaults to the beginning of the day 30 days before `to`. */
export function usageRange(query: { from?: string; to?: string }, now: number, keepDays: number): Range {
  // `now` itself is included: a record of this very millisecond is one that the caller may expect to see.
  const to = query.to === undefined ? new Date(now + 1) : moment('to', query.to);
  const from =
    query.from === undefined
      ? new Date(startOfDay(to.getTime()) - DEFAULT_DAYS * DAY)
      : moment('from', query.from);
  if (from >= to) throw invalid('from', 'from must be before to');
  for (const edge of splitRange({ from, to }, now).edges) {
    if (edge.from.getTime() >= now - keepDays * DAY) continue;
    const param = edge.from === from ? 'from' : 'to';
    throw invalid(
      param,
      `${param} must be a whole day (UTC), e.g. 2026-01-31: single calls are kept for ${keepDays} days`,
    );
  }
  return { from, to };
}

/** A day (UTC) as a query. */
export function dayRange(day: string): { from: string; to: string } {
  const from = moment('day', day);
  if (!DAY_FORM.test(day)) throw invalid('day', 'day must be a date, e.g. 2026-01-31');
  return { from: day, to: new Date(from.getTime() + DAY).toISOString() };
}

export function splitRange({ from, to }: Range, now: number): RangeParts {
  const first = startOfDay(from.getTime() + DAY - 1);
  // Nothing is used after now: today is whole, too.
  const last = startOfDay(to.getTime() > now ? to.getTime() + DAY - 1 : to.getTime());
  if (first >= last) return { days: null, edges: [{ from, to }] };
  const edges: Range[] = [];
  if (from.getTime() < first) edges.push({ from, to: new Date(first) });
  if (last < to.getTime()) edges.push({ from: new Date(last), to });
  return { days: { from: dayOf(new Date(first)), to: dayOf(new Date(last)) }, edges };
}

/** The beginning of the day (UTC) that `time` is in. */
function startOfDay(time: number): number {
  return time - (((time % DAY) + DAY) % DAY);
}

function moment(name: string, text: string): Date {
  const date = new Date(MOMENT.test(text) && isDay(text.slice(0, 10)) ? text : NaN);
  if (!Number.isNaN(date.getTime())) return date;
  throw invalid(
    name,
    `${name} must be a date or a date-time with its offset, e.g. 2026-01-31 or 2026-01-31T09:00:00Z`,
  );
}

/** JavaScript takes the 31st of February for the 3rd of March. */
function isDay(text: string): boolean {
  const day = new Date(text);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

function invalid(param: string, message: string): Error {
  return errors.invalid_request({ values: { message }, param });
}
