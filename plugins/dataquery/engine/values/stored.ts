/**
 * The stored form of values. It is chosen per type so that storage compares and sorts as PostgreSQL does:
 *
 * | type                              | stored as                                                          |
 * |-----------------------------------|--------------------------------------------------------------------|
 * | smallint, integer, bigint, oid    | number while it is a safe integer, bigint beyond                   |
 * | money                             | the same, in cents                                                 |
 * | numeric                           | a string whose order is the numbers' order, see decimal.ts         |
 * | real, double precision            | number; NaN as the string "NaN", which sorts after every number    |
 * | boolean                           | boolean                                                            |
 * | date                              | days since 1970-01-01; +-Infinity                                  |
 * | timestamp, timestamptz            | microseconds since 1970-01-01 (UTC), like bigint; +-Infinity       |
 * | time                              | microseconds since midnight                                        |
 * | timetz, bit, bytea, uuid, text .. | string                                                             |
 * | json, jsonb                       | JSON text; of jsonb in one canonical form, so equal values are equal |
 * | ranges                            | text in one canonical form                                         |
 * | tsvector                          | text of its literal                                                |
 * | arrays                            | array of the element's stored form and null                        |
 * | unknown                           | as it came; objects and arrays as `{ json: text }`                 |
 *
 * SQL's null is null; a missing member of a document means the same.
 */
export type Stored = string | number | bigint | boolean | StoredArray | StoredJson;
export type StoredArray = readonly (Stored | null)[];
export interface StoredJson {
  readonly json: string;
}

/** A row as its collection keeps it: `_id` and one member per column, named by `Column.field`. */
export type StoredRow = { readonly _id: string } & { readonly [field: string]: Stored | null | undefined };
