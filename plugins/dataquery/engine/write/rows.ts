/** Rows as a caller gives them: values by column name, as JSON has them. */

export type Row = Readonly<Record<string, unknown>>;

export interface RowsBody {
  readonly rows: readonly Row[];
  /** The keys that every row has, in the order of the first. */
  readonly keys: readonly string[];
}
