/** Parses a key's expiry as people type it. */
import { UserError } from 'plugboard/sdk';

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A span from now (`90d`, `12h`, `30m`) or an ISO 8601 date or time, in UTC unless it has a zone. */
export function parseExpiry(text: string, now: number, option = 'expires'): Date {
  const [, count, unit = ''] = /^(\d+)([mhd])$/.exec(text) ?? [];
  const isDate = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/.test(text);
  const zoned = /(?:Z|[+-]\d\d:\d\d)$/.test(text) || !text.includes('T') ? text : `${text}Z`;
  const time =
    count !== undefined ? now + Number(count) * (UNITS[unit] ?? 0) : isDate ? Date.parse(zoned) : NaN;
  const expiry = new Date(time);
  if (Number.isNaN(expiry.getTime())) {
    throw new UserError(
      `--${option} "${text}" is neither a time such as 2027-01-31 nor a span such as 90d, 12h or 30m`,
    );
  }
  return expiry;
}
