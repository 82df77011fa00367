/** Which backups to keep: the newest of each hour, day, week and month, as far back as configured. */
import type { BackupSettings } from './settings.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** 1970-01-05, the first Monday of the epoch. */
const MONDAY = 4 * DAY;

type Period = keyof BackupSettings['keep'];

const PERIODS: Readonly<Record<Period, (time: number) => number>> = {
  hours: (time) => Math.floor(time / HOUR),
  days: (time) => Math.floor(time / DAY),
  weeks: (time) => Math.floor((time - MONDAY) / (7 * DAY)),
  months: (time) => new Date(time).getUTCFullYear() * 12 + new Date(time).getUTCMonth(),
};

/** The ones to keep of these times, in milliseconds since the epoch. The newest is always kept. */
export function keptTimes(times: readonly number[], keep: BackupSettings['keep']): Set<number> {
  const newestFirst = times.toSorted((a, b) => b - a);
  const kept = new Set(newestFirst.slice(0, 1));
  for (const [period, numberOf] of Object.entries(PERIODS)) {
    const newest = new Map<number, number>();
    for (const time of newestFirst) if (!newest.has(numberOf(time))) newest.set(numberOf(time), time);
    for (const time of [...newest.values()].slice(0, keep[period as Period])) kept.add(time);
  }
  return kept;
}
