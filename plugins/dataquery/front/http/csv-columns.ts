/** The keys of a level in CSV: as PostgreSQL prints them, so that an export can be imported again. */
import type { CsvColumn } from './rows-body.js';
import { canonicalJson } from '../../engine/values/json-text.js';
import type { ValueType } from '../../engine/values/type.js';
import type { Output } from '../../engine/plan/level.js';

export function csvColumns(output: readonly Output[]): CsvColumn[] {
  return output.flatMap((item): CsvColumn[] => {
    switch (item.kind) {
      case 'value':
        return [{ key: item.key, cell: cellOf(item.value.type) }];
      case 'spread': {
        const inner = csvColumns(item.embed.level.output);
        return item.embed.toOne ? inner : inner.map(({ key }) => ({ key, cell: documentCell }));
      }
      default:
        return [{ key: item.key, cell: documentCell }];
    }
  });
}

/** A value as its type prints it, and a boolean as `t` or `f`, as in a row of PostgreSQL. A domain's form is JSON. */
function cellOf(type: ValueType): (value: unknown) => string {
  if (type.over !== undefined) return documentCell;
  return (value) => {
    const stored = value === undefined ? null : type.fromJson(value);
    if (stored === null) return '';
    return type.family === 'boolean' ? (stored === true ? 't' : 'f') : type.toText(stored);
  };
}

/** Null is empty, a text is itself, and anything else is JSON. */
function documentCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : canonicalJson(value);
}
