/** Rough size of a number, a moment, a name or an array item. */
const SMALL = 8;

/** About how many characters a stored value has. */
export function charactersOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (Array.isArray(value))
    return value.reduce((sum: number, item) => sum + SMALL + charactersOf(item), SMALL);
  if (typeof value !== 'object' || value === null || value instanceof Date) return SMALL;
  if (ArrayBuffer.isView(value)) return value.byteLength;
  return Object.values(value).reduce((sum: number, item) => sum + SMALL + charactersOf(item), SMALL);
}
