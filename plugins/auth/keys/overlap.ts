/** How long the text of a key works on after a rotation, unless somebody says. */
const DAY = 86_400_000;

/** `now` in epoch milliseconds. */
export function inADay(now: number): Date {
  return new Date(now + DAY);
}
