/** The page's requests. The request to copy is the one that is sent. */
import type { ApiRequest } from 'plugboard/console';
import { labelOf, type Table } from '../tables.js';

export const PAGE = 50;

export interface View {
  /** A query string of filters. */
  readonly filter: string;
  /** `year.desc`, or empty: by the key. */
  readonly order: string;
  readonly offset: number;
}

/** One row more than shown tells whether there is a next page. */
export function readRequest(prefix: string, table: Table, tables: readonly Table[], view: View): ApiRequest {
  const order = view.order === '' ? table.key.join(',') : view.order;
  const parts = [
    `select=${selectOf(table, tables)}`,
    ...(view.filter === '' ? [] : [view.filter]),
    ...(order === '' ? [] : [`order=${encodeURIComponent(order)}`]),
    ...(view.offset === 0 ? [] : [`offset=${view.offset}`]),
    `limit=${PAGE + 1}`,
  ];
  return { path: `${pathOf(prefix, table)}?${parts.join('&')}`, exact: true };
}

export function pathOf(prefix: string, { name }: Table): string {
  return `${prefix}/${encodeURIComponent(name)}`;
}

/** The name under which the referenced row is embedded. */
export function relatedName(column: string): string {
  return `related_${column}`;
}

/** All columns, and the label of each row that one of them references. */
function selectOf({ columns }: Table, tables: readonly Table[]): string {
  const related = columns.flatMap(({ name, references }) => {
    const target = tables.find((table) => table.name === references?.table);
    const label = target && labelOf(target);
    if (references === undefined || label === undefined || label === references.column) return [];
    return [
      `${encodeURIComponent(relatedName(name))}:${encodeURIComponent(references.table)}!${encodeURIComponent(name)}(${encodeURIComponent(label)})`,
    ];
  });
  return ['*', ...related].join(',');
}
