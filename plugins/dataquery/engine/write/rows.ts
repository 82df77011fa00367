/** Rows as a caller gives them: values by column name, as in JSON, or literals. */
import type { Stored } from '../values/stored.js';
import type { ValueType } from '../values/type.js';

export type Row = Readonly<Record<string, unknown>>;

export interface RowsBody {
  readonly rows: readonly Row[];
  /** The keys that every row has, in the order of the first. */
  readonly keys: readonly string[];
}

/** A value as a literal of its type, as in CSV: `{"a":1}` in a JSON column is a document and not a text. */
export class Literal {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Throws what the type throws. */
export function readGiven(type: ValueType, value: unknown): Stored | null {
  return value instanceof Literal ? type.parse(value.text) : type.fromJson(value);
}
