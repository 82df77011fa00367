/** Time zones of the IANA database, as the runtime knows them. */

export interface TimeZone {
  readonly name: string;
  /** Seconds east of Greenwich at an instant, in milliseconds since 1970-01-01 UTC. */
  offsetAt(instant: number): number;
  /** The same for local time, in milliseconds as if it were UTC. */
  offsetOfLocal(local: number): number;
}

export const UTC: TimeZone = { name: 'UTC', offsetAt: () => 0, offsetOfLocal: () => 0 };

const known = new Map<string, TimeZone>([['utc', UTC]]);

/** A name in any case, as in PostgreSQL, or an offset such as `+05:30`; undefined for an unknown one. */
export function timeZoneNamed(name: string): TimeZone | undefined {
  const key = name.toLowerCase();
  const found = known.get(key) ?? zoneOfOffset(name) ?? readZone(name);
  if (found !== undefined) known.set(key, found);
  return found;
}

/** East of Greenwich, as in ISO 8601. PostgreSQL allows up to 15:59. */
const OFFSET = /^([+-])(0\d|1[0-5])(?::?([0-5]\d))?$/;

function zoneOfOffset(name: string): TimeZone | undefined {
  const match = OFFSET.exec(name);
  if (match === null) return undefined;
  const [, sign, hours, minutes = '0'] = match;
  const seconds = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -60 : 60);
  return seconds === 0 ? UTC : { name, offsetAt: () => seconds, offsetOfLocal: () => seconds };
}

const NAME = /^[A-Za-z][\w+/-]*$/;

function readZone(name: string): TimeZone | undefined {
  if (!NAME.test(name)) return undefined;
  try {
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      timeZoneName: 'longOffset',
      year: 'numeric',
    });
    const { timeZone } = format.resolvedOptions();
    return timeZone === 'UTC' ? UTC : zoneOf(timeZone, (instant) => offsetIn(format.format(instant)));
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** `2024, GMT+05:30`; early local mean times have seconds. */
function offsetIn(shown: string): number {
  const match = /([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(shown);
  if (match === null) return 0;
  const [, sign, hours, minutes, seconds = '0'] = match;
  const offset = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return sign === '-' ? -offset : offset;
}

/** The range of Date; PostgreSQL's timestamps go on some thousand years, with the same offsets. */
const MOST = 8.64e15;
const DAY = 86_400_000;

function zoneOf(name: string, offset: (instant: number) => number): TimeZone {
  const offsetAt = (instant: number): number => offset(Math.max(-MOST, Math.min(MOST, instant)));
  /**
   * An hour that a clock repeats or skips is read in standard time, which is the lesser offset (PostgreSQL
   * documentation, appendix B.2).
   */
  const offsetOfLocal = (local: number): number => {
    const [before, after] = [offsetAt(local - DAY), offsetAt(local + DAY)];
    if (before === after) return before;
    const holds = [before, after].filter((seconds) => offsetAt(local - seconds * 1_000) === seconds);
    return Math.min(...(holds.length === 0 ? [before, after] : holds));
  };
  return { name, offsetAt, offsetOfLocal };
}
