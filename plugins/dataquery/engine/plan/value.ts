/** A value of a row that a request names: a column, a path in a JSON document, a computed column, a cast of these. */
import type { CatalogFunction, Column } from '../catalog/model.js';
import { errors } from '../base/errors.js';
import type { Field, JsonStep } from '../query/query.js';
import { castable, castValue } from '../values/cast.js';
import { canonicalJson, jsonText, NumberLiteral, parseJson } from '../values/json-text.js';
import { json, jsonb } from '../values/json.js';
import type { Stored, StoredRow } from '../values/stored.js';
import { text } from '../values/text.js';
import type { TimeZone } from '../values/time-zone.js';
import { inZone, type ValueType } from '../values/type.js';
import { knownType } from '../values/types.js';
import { wordsMember } from '../words/word-index.js';

export interface Value {
  readonly type: ValueType;
  /** The member of the row to read. */
  readonly field: string;
  /** Whether the value is the stored member itself, so that storage can compare it. */
  readonly plain: boolean;
  /** Whether it can be null. */
  readonly nullable: boolean;
  /** Its stored lexemes, and their configuration; only if it is plain. */
  readonly words?: { readonly member: string; readonly configuration: string } | undefined;
  /** A text from a JSON document, which the member keeps as text. */
  readonly ofDocument?: boolean;
  /** The function that fills `field`, for a computed column. */
  readonly computed: CatalogFunction | undefined;
  read(row: StoredRow): Stored | null;
}

export function columnValue(column: Column, type: ValueType = column.type): Value {
  const { field, search } = column;
  const member = wordsMember(column);
  return {
    type,
    field,
    plain: true,
    ...(search !== undefined && member !== undefined && { words: { member, configuration: search } }),
    nullable: !column.required,
    computed: undefined,
    read: (row) => row[field] ?? null,
  };
}

/** Insertion order of a row: ids grow. */
export const INSERTION: Value = {
  type: text,
  field: '_id',
  plain: true,
  nullable: false,
  computed: undefined,
  read: (row) => row._id,
};

/** A computed column is added to the row, under a name that no column can have, before anything reads it. */
export function computedValue(called: CatalogFunction): Value {
  const field = `.${called.name}`;
  if (called.returns.kind !== 'scalar') throw new TypeError(`${called.name} is not a computed column`);
  return {
    type: called.returns.type,
    field,
    plain: false,
    nullable: true,
    computed: called,
    read: (row) => row[field] ?? null,
  };
}

/** `column->a->>b`: the last arrow decides between JSON and text. */
export function stepInto(value: Value, field: Field): Value {
  const last = field.steps.at(-1);
  if (last === undefined) return value;
  const afterText = field.steps.find((_, at) => field.steps[at - 1]?.text);
  if (afterText !== undefined) {
    const operator = afterText.text ? '->>' : '->';
    throw errors['42883']({ values: { left: 'text', operator, right: 'unknown' } });
  }
  // json keeps its members' order, and jsonb has its own.
  const isJson = value.type.name === 'json';
  const print = isJson ? jsonText : canonicalJson;
  return {
    ...value,
    type: last.text ? text : isJson ? json : jsonb,
    plain: false,
    words: undefined,
    ofDocument: last.text && value.plain && value.type.family === 'json',
    nullable: true,
    read: (row) => {
      const document = value.read(row);
      return document === null ? null : follow(parseJson(value.type.toJson(document)), field.steps, print);
    },
  };
}

function follow(
  document: unknown,
  steps: readonly JsonStep[],
  print: (value: unknown) => string,
): string | null {
  let place = document;
  let asText = false;
  for (const { key, text: isText } of steps) {
    place = child(place, key);
    if (place === undefined) return null;
    asText = isText;
  }
  if (!asText) return print(place);
  if (place === null) return null;
  return typeof place === 'string' ? place : print(place);
}

function child(place: unknown, key: string | number): unknown {
  if (Array.isArray(place)) {
    const index = typeof key === 'number' ? key : Number.NaN;
    return (place as unknown[]).at(Number.isInteger(index) ? index : place.length);
  }
  if (typeof place !== 'object' || place === null || place instanceof NumberLiteral) return undefined;
  return Object.hasOwn(place, key) ? (place as Record<string, unknown>)[key] : undefined;
}

/** Throws 42704. */
export function castType(name: string, zone: TimeZone): ValueType {
  const type = knownType(name);
  if (type === undefined) throw errors['42704']({ values: { type: name } });
  return inZone(type, zone);
}

export function castTo(value: Value, type: ValueType): Value {
  if (type === value.type) return value;
  if (!castable(value.type, type))
    throw errors['42846']({ values: { from: value.type.name, to: type.name } });
  return {
    ...value,
    type,
    plain: false,
    words: undefined,
    ofDocument: false,
    read: (row) => {
      const stored = value.read(row);
      return stored === null ? null : castValue(stored, value.type, type);
    },
  };
}
