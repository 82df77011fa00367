/** What the page knows of the tables, from the data API's own description. */

export interface Column {
  readonly name: string;
  /** The database's name for the type: `integer`, `text[]`. */
  readonly type: string;
  readonly kind: 'number' | 'boolean' | 'text' | 'json';
  readonly comment: string | undefined;
  readonly isKey: boolean;
  /** Not null. */
  readonly required: boolean;
  readonly hasDefault: boolean;
  /** Only the server gives it a value. */
  readonly generated: boolean;
  readonly values: readonly string[] | undefined;
  /** The column that its values reference. */
  readonly references: { readonly table: string; readonly column: string } | undefined;
}

export interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly key: readonly string[];
}

interface Property {
  readonly type?: string;
  readonly format?: string;
  readonly default?: unknown;
  readonly readOnly?: boolean;
  readonly enum?: readonly string[];
  readonly description?: string;
}
export interface Description {
  readonly definitions: Readonly<
    Record<
      string,
      { readonly required?: readonly string[]; readonly properties: Readonly<Record<string, Property>> }
    >
  >;
}

export function tablesOf({ definitions }: Description): Table[] {
  return Object.entries(definitions).map(([name, { required = [], properties }]) => {
    const columns = Object.entries(properties).map(([column, property]) =>
      columnOf(column, property, required.includes(column)),
    );
    return { name, columns, key: columns.filter(({ isKey }) => isKey).map((column) => column.name) };
  });
}

function columnOf(name: string, property: Property, required: boolean): Column {
  const { description = '', format = '', type } = property;
  const [, table, column] = /<fk table='([^']*)' column='([^']*)'\/>/.exec(description) ?? [];
  const comment = description.split(/\n\n?Note:/)[0]?.trim();
  return {
    name,
    type: format,
    kind:
      type === 'integer' || type === 'number'
        ? 'number'
        : type === 'boolean'
          ? 'boolean'
          : type === 'string'
            ? 'text'
            : 'json',
    comment: comment === '' || comment?.startsWith('Note:') === true ? undefined : comment,
    isKey: description.includes('<pk/>'),
    required,
    hasDefault: property.default !== undefined,
    generated: property.readOnly === true,
    values: property.enum,
    references: table === undefined || column === undefined ? undefined : { table, column },
  };
}

/** The column that labels a row: the first text, or the key. */
export function labelOf({ columns, key }: Table): string | undefined {
  const text = columns.find(
    ({ kind, isKey, type }) => kind === 'text' && !isKey && /^(text|character varying)/.test(type),
  );
  return text?.name ?? key[0];
}
