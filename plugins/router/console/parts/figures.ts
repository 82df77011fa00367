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

/** US dollars; of less than a cent two digits, however small: what costs little is not free. */
export function dollars(value: number): string {
  const size = Math.abs(value);
  const digits =
    size === 0 || size >= 1 ? 2 : size >= 0.01 ? 4 : Math.min(12, 1 - Math.floor(Math.log10(size)));
  return `$${value.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: digits })}`;
}

/** `1.2M`. */
export function compact(value: number): string {
  return value.toLocaleString('en', { notation: 'compact', maximumFractionDigits: 1 });
}

export function percent(part: number, whole: number): string {
  return whole === 0
    ? ''
    : (part / whole).toLocaleString('en', { style: 'percent', maximumFractionDigits: 1 });
}
