/** Figures as people read them. */

/** Undefined shows a dash. */
export function milliseconds(value: number | null): string | undefined {
  if (value === null) return undefined;
  return value < 1000 ? `${Math.round(value)} ms` : `${(value / 1000).toFixed(2)} s`;
}

/** `2026-01-31`, so many days before now. */
export function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
}
