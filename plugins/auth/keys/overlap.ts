/** How long the old text works after a rotation, by default. */
const DAY = 86_400_000;

/** `now` in epoch milliseconds. */
export function inADay(now: number): Date {
  return new Date(now + DAY);
}
