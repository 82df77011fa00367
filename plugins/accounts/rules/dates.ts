/** Rules on dates: they exist, and are on the right side of today. */
import { countryOf, type Rule } from './attempt.js';
import { countryRow } from '../tables/countries.js';

interface CalendarDate {
  readonly day?: number | undefined;
  readonly month?: number | undefined;
  readonly year?: number | undefined;
}

/** Midnight UTC; undefined for a date that does not exist, such as 30 February. */
export function instantOf({ day, month, year }: CalendarDate): number | undefined {
  if (day === undefined || month === undefined || year === undefined || year < 1 || year > 9999)
    return undefined;
  const instant = new Date(0).setUTCFullYear(year, month - 1, day);
  const date = new Date(instant);
  return date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
    ? instant
    : undefined;
}

/** Full years between a date and an instant. */
function yearsBetween({ day = 1, month = 1, year = 0 }: CalendarDate, now: number): number {
  const today = new Date(now);
  const had =
    today.getUTCMonth() + 1 > month || (today.getUTCMonth() + 1 === month && today.getUTCDate() >= day);
  return today.getUTCFullYear() - year - (had ? 0 : 1);
}

const OLDEST_YEAR = 1900;
const MIN_AGE = 13;

const dateOfBirth: Rule = (attempt) => {
  const { body, after, now } = attempt;
  if (body.identity?.individual?.date_of_birth == null) return undefined;
  const date = after.identity?.individual?.date_of_birth ?? {};
  const instant = instantOf(date);
  if (instant === undefined || instant > now || (date.year ?? 0) < OLDEST_YEAR)
    return {
      code: 'date_of_birth_invalid',
      message: `identity.individual.date_of_birth is not a date between ${OLDEST_YEAR} and today`,
    };
  const country = countryOf(attempt);
  const limit = (country && countryRow(country).min_age) || MIN_AGE;
  return yearsBetween(date, now) < limit
    ? {
        code: 'date_of_birth_age_restriction',
        message: `identity.individual.date_of_birth must be at least ${limit} years ago`,
        extra: { age_limit: String(limit) },
      }
    : undefined;
};

const registrationDate: Rule = ({ body, after, now }) => {
  if (body.identity?.business_details?.registration_date == null) return undefined;
  const instant = instantOf(after.identity?.business_details?.registration_date ?? {});
  // Today's midnight is past; the day of registration itself is not.
  const today = new Date(now).setUTCHours(0, 0, 0, 0);
  return instant === undefined || instant >= today
    ? {
        code: 'registration_date_invalid',
        message: 'identity.business_details.registration_date is not a date in the past',
      }
    : undefined;
};

export const dateRules: readonly Rule[] = [dateOfBirth, registrationDate];
