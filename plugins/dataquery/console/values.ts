/** Values of rows as texts. */

/** As a person writes it into a field. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
