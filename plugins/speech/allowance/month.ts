/** The month of a plan, in the time zone of the config. */

const DAY = 86_400_000;

export class MonthCalendar {
  readonly #format: Intl.DateTimeFormat;

  /** Throws a `RangeError` for a time zone that does not exist. */
  constructor(timeZone: string) {
    this.#format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit' });
  }

  /** `2026-11` for the month in which the instant lies. */
  monthOf(instant: number): string {
    let year = '';
    let month = '';
    for (const { type, value } of this.#format.formatToParts(instant)) {
      if (type === 'year') year = value;
      if (type === 'month') month = value;
    }
    return `${year}-${month}`;
  }

  /** The first instant of the next month, found by bisection: time zones may change their offset at any time. */
  endOf(instant: number): number {
    const month = this.monthOf(instant);
    let inside = instant;
    let beyond = instant + 33 * DAY;
    while (beyond - inside > 1) {
      const middle = Math.floor((inside + beyond) / 2);
      if (this.monthOf(middle) === month) inside = middle;
      else beyond = middle;
    }
    return beyond;
  }
}
