/** Readable figures. Undefined stays undefined. */

export function bytes(value: number | undefined): string | undefined {
  return value === undefined ? undefined : `${Math.round(value / 1_048_576).toLocaleString()} MiB`;
}

/** `3 d 4 h`, `12 min`. */
export function span(seconds: number | undefined): string | undefined {
  if (seconds === undefined) return undefined;
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (hours >= 24) return `${Math.floor(hours / 24)} d ${hours % 24} h`;
  if (minutes >= 60) return `${hours} h ${minutes % 60} min`;
  return minutes > 0 ? `${minutes} min` : `${Math.floor(seconds)} s`;
}
