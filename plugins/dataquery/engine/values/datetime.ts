/** date, timestamp, timestamptz, time and timetz, read and printed in ISO 8601, in the time zone of a session. */
import { errors } from '../base/errors.js';
import { dateParts, dayNumber, daysInMonth, pad } from './calendar.js';
import { compareNumbers, narrow, scalarFromJson } from './number.js';
import { currentMoment } from './moment.js';
import { oncePer } from '../base/once-per.js';
import type { Stored } from './stored.js';
import { compareText } from '../base/text-order.js';
import { UTC, type TimeZone } from './time-zone.js';
import type { TypeFamily, ValueType } from './type.js';

const DAY = 86_400_000_000;
const DAY_MS = 86_400_000;
const DATE = String.raw`(\d{4,7})-?(\d{1,2})-?(\d{1,2})`;
const TIME = String.raw`(\d{1,2}):?(\d{2})(?::?(\d{2})(?:[.,](\d+))?)?`;
const ZONE = String.raw`(?:\s*(Z|UTC|GMT|[+-]\d{1,2}(?::?\d{2}(?::?\d{2})?)?))?`;
/** Characters of a literal; longer ones are refused unread. */
const LONGEST = 100;
const TIMESTAMP = new RegExp(`^${DATE}(?:[T ]\\s*${TIME}${ZONE})?(?:\\s+(AD|BC))?$`, 'i');
const TIME_OF_DAY = new RegExp(`^${TIME}${ZONE}$`, 'i');

interface Moment {
  readonly days: number;
  /** Microseconds since midnight. */
  readonly time: number;
  /** Seconds east of Greenwich; undefined without a zone. */
  readonly offset: number | undefined;
}

export interface DateTimeTypes {
  readonly date: ValueType;
  readonly timestamp: ValueType;
  readonly timestamptz: ValueType;
  readonly time: ValueType;
  readonly timetz: ValueType;
}

/** The types as a session in the zone reads and prints them; the stored form is the same in all. */
export const dateTimeTypes = oncePer((session: TimeZone): DateTimeTypes => {
  const types: Record<keyof DateTimeTypes, ValueType> = {
    date: dateTimeType('date', 'date', {
      parse: (text, name) => infinite(text) ?? readMoment(text, name, session).days,
      text: (value) => (isFinite(Number(value)) ? dated(Number(value), '') : infinityText(value)),
    }),
    timestamp: timestampType(session),
    timestamptz: timestamptzType(session),
    time: dateTimeType('time without time zone', 'time', {
      parse: (text, name) => readTime(text, name).time,
      text: (value) => clock(Number(value)),
    }),
    timetz: timetzType(session),
  };
  for (const name of Object.keys(types) as (keyof DateTimeTypes)[]) {
    types[name] = { ...types[name], inZone: (zone) => dateTimeTypes(zone)[name] };
  }
  return types;
});

export const { date, timestamp, timestamptz, time, timetz } = dateTimeTypes(UTC);

function timestampType(session: TimeZone): ValueType {
  const name = 'timestamp without time zone';
  const print = (value: Stored, separator: string): string => {
    if (isInfinite(value)) return infinityText(value);
    const [days, rest] = split(value);
    return dated(days, `${separator}${clock(rest)}`);
  };
  return {
    ...dateTimeType(name, 'timestamp', {
      parse: (text) => infinite(text) ?? microseconds(readMoment(text, name, session), 0),
      text: (value) => print(value, ' '),
    }),
    toJson: (value) => `"${print(value, 'T')}"`,
  };
}

function timestamptzType(session: TimeZone): ValueType {
  const name = 'timestamp with time zone';
  const print = (value: Stored, separator: string, form: 'hours' | 'minutes'): string => {
    if (isInfinite(value)) return infinityText(value);
    const offset = session.offsetAt(Number(value) / 1_000);
    const [days, rest] = split(value);
    const local = rest + offset * 1e6;
    const later = Math.floor(local / DAY);
    return dated(days + later, `${separator}${clock(local - later * DAY)}${zone(offset, form)}`);
  };
  return {
    ...dateTimeType(name, 'timestamp', {
      parse: (text) => {
        const special = infinite(text);
        if (special !== undefined) return special;
        const moment = readMoment(text, name, session);
        const local = moment.days * DAY_MS + moment.time / 1_000;
        return microseconds(moment, moment.offset ?? session.offsetOfLocal(local));
      },
      text: (value) => print(value, ' ', 'hours'),
    }),
    toJson: (value) => `"${print(value, 'T', 'minutes')}"`,
  };
}

/**
 * Stored as the microseconds of the day in UTC, then the offset: PostgreSQL's order. Both are shifted to stay positive,
 * and the offset is negated because of two equal instants the eastern one comes first.
 */
function timetzType(session: TimeZone): ValueType {
  // Without a zone: the session's current one.
  const current = (): number => (session === UTC ? 0 : session.offsetAt(currentMoment()));
  return {
    ...dateTimeType('time with time zone', 'time', {
      parse: (text, name) => {
        const { time: local, offset = current() } = readTime(text, name);
        return `${pad(local - offset * 1e6 + DAY, 12)}${pad(DAY / 1e6 - offset, 6)}`;
      },
      text: (value) => {
        const offset = DAY / 1e6 - Number((value as string).slice(12));
        return clock(Number((value as string).slice(0, 12)) - DAY + offset * 1e6) + zone(offset, 'hours');
      },
    }),
    compare: (a, b) => compareText(a as string, b as string),
  };
}

function dateTimeType(
  name: string,
  family: TypeFamily,
  form: { parse: (text: string, name: string) => Stored; text: (value: Stored) => string },
): ValueType {
  const parse = (text: string): Stored => form.parse(text, name);
  return {
    name,
    family,
    element: undefined,
    ordered: true,
    equality: true,
    parse,
    fromJson: (value) => scalarFromJson(value, parse),
    toJson: (value) => `"${form.text(value)}"`,
    toText: form.text,
    compare: compareNumbers,
  };
}

function readMoment(text: string, type: string, session: TimeZone): Moment {
  const special = SPECIAL.get(text.trim().toLowerCase());
  if (special !== undefined) return special(currentMoment(), session);
  const match = text.length > LONGEST ? null : TIMESTAMP.exec(text.trim());
  if (match === null) throw errors['22007']({ values: { type, value: text } });
  const [, years, months, days, hour, minute, second, fraction, zoneText, era] = match;
  const year = era?.toUpperCase() === 'BC' ? 1 - Number(years) : Number(years);
  const month = Number(months);
  const day = Number(days);
  if (Number(years) === 0 || month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) {
    throw errors['22008']({ values: { value: text } });
  }
  if (year < -4712 || year > (type === 'date' ? 5_874_897 : 294_276)) {
    throw errors['22008']({ message: `${type === 'date' ? 'date' : 'timestamp'} out of range: "${text}"` });
  }
  return {
    days: dayNumber(year, month, day),
    time: timeOfDay(text, hour, minute, second, fraction),
    offset: offsetSeconds(zoneText),
  };
}

/** Words for moments (PostgreSQL documentation, 8.5.1.4), from the milliseconds since 1970. */
const SPECIAL: ReadonlyMap<string, (now: number, session: TimeZone) => Moment> = new Map([
  ['epoch', () => ({ days: 0, time: 0, offset: 0 })],
  ['now', (now, session) => shownAt(now, session)],
  ['today', (now, session) => midnight(now, session, 0)],
  ['tomorrow', (now, session) => midnight(now, session, 1)],
  ['yesterday', (now, session) => midnight(now, session, -1)],
] satisfies [string, (now: number, session: TimeZone) => Moment][]);

function shownAt(now: number, session: TimeZone): Moment & { readonly offset: number } {
  const offset = session.offsetAt(now);
  const local = now + offset * 1_000;
  const days = Math.floor(local / DAY_MS);
  return { days, time: (local - days * DAY_MS) * 1_000, offset };
}

function midnight(now: number, session: TimeZone, later: number): Moment {
  return { days: shownAt(now, session).days + later, time: 0, offset: undefined };
}

function microseconds({ days, time: clockTime }: Moment, offset: number): Stored {
  return narrow(BigInt(days) * BigInt(DAY) + BigInt(clockTime - offset * 1e6));
}

function readTime(text: string, type: string): { time: number; offset: number | undefined } {
  const match =
    text.length > LONGEST
      ? undefined
      : (TIME_OF_DAY.exec(text.trim()) ?? TIMESTAMP.exec(text.trim())?.slice(3));
  if (match?.[1] === undefined) throw errors['22007']({ values: { type, value: text } });
  const [, hour, minute, second, fraction, zoneText] = match;
  return { time: timeOfDay(text, hour, minute, second, fraction), offset: offsetSeconds(zoneText) };
}

/** Microseconds; a longer fraction is rounded. */
function timeOfDay(text: string, hour = '0', minute = '0', second = '0', fraction = '0'): number {
  const micros = Math.round(Number(`0.${fraction}`) * 1e6);
  const total = (Number(hour) * 3600 + Number(minute) * 60 + Number(second)) * 1e6 + micros;
  if (Number(minute) > 59 || Number(second) > 60 || total > DAY) {
    throw errors['22008']({ values: { value: text } });
  }
  return total;
}

function offsetSeconds(zoneText: string | undefined): number | undefined {
  if (zoneText === undefined) return undefined;
  const match = /^([+-])(\d{1,2}):?(\d{2})?:?(\d{2})?$/.exec(zoneText);
  if (match === null) return 0;
  const [, sign, hours, minutes = '0', seconds = '0'] = match;
  const offset = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  if (offset > 16 * 3600)
    throw errors['22008']({ message: `time zone displacement out of range: "${zoneText}"` });
  return sign === '-' ? -offset : offset;
}

function infinite(text: string): number | undefined {
  const word = text.trim().toLowerCase();
  return word === 'infinity' || word === '+infinity'
    ? Infinity
    : word === '-infinity'
      ? -Infinity
      : undefined;
}

function isInfinite(value: Stored): boolean {
  return value === Infinity || value === -Infinity;
}

function infinityText(value: Stored): string {
  return Number(value) > 0 ? 'infinity' : '-infinity';
}

/** Days and the microseconds since midnight of a timestamp. */
function split(value: Stored): [days: number, time: number] {
  if (typeof value === 'bigint') {
    const days = value / BigInt(DAY) - (value % BigInt(DAY) < 0n ? 1n : 0n);
    return [Number(days), Number(value - days * BigInt(DAY))];
  }
  const days = Math.floor(Number(value) / DAY);
  return [days, Number(value) - days * DAY];
}

function dated(days: number, rest: string): string {
  const { date: text, bc } = dateParts(days);
  return `${text}${rest}${bc ? ' BC' : ''}`;
}

function clock(micros: number): string {
  const seconds = Math.floor(micros / 1e6);
  const fraction = micros - seconds * 1e6;
  const text = `${pad(Math.floor(seconds / 3600), 2)}:${pad(Math.floor(seconds / 60) % 60, 2)}:${pad(seconds % 60, 2)}`;
  return fraction === 0 ? text : `${text}.${pad(fraction, 6).replace(/0{1,5}$/, '')}`;
}

/** `+02`, `+05:30`, and with `minutes` always `+02:00`; seconds if there are any. */
function zone(offset: number, least: 'hours' | 'minutes'): string {
  const seconds = Math.abs(offset);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map((part) =>
    pad(part, 2),
  );
  while (parts.length > (least === 'hours' ? 1 : 2) && parts.at(-1) === '00') parts.pop();
  return `${offset < 0 ? '-' : '+'}${parts.join(':')}`;
}
