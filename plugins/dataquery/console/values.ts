/** Row values as text. */

/** As a person types it into a field. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
