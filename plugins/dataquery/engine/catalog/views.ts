/** Gives views the column types and keys of their base relations. */
import type { Column, ColumnName, Relation, RelationName } from './model.js';
import { collectionName } from './naming.js';
import type { Reading } from './reading.js';
import type { ColumnDraft, RelationDraft } from './relations.js';
import { suggestion } from './suggestion.js';
import { typeNamed } from '../values/types.js';

type Drafts = ReadonlyMap<string, ReadonlyMap<string, RelationDraft>>;

export function resolveViews(reading: Reading, drafts: Drafts): Map<string, Map<string, Relation>> {
  const resolver = new ViewResolver(reading, drafts);
  return new Map(
    [...drafts].map(([schema, relations]) => [
      schema,
      new Map([...relations].map(([name, draft]) => [name, resolver.relation(draft)])),
    ]),
  );
}

class ViewResolver {
  readonly #reading: Reading;
  readonly #drafts: Drafts;
  readonly #done = new Map<RelationDraft, Relation>();
  /** Views being resolved, to find cycles. */
  readonly #open: RelationDraft[] = [];

  constructor(reading: Reading, drafts: Drafts) {
    this.#reading = reading;
    this.#drafts = drafts;
  }

  relation(draft: RelationDraft): Relation {
    const known = this.#done.get(draft);
    if (known !== undefined) return known;
    this.#open.push(draft);
    const columns = new Map([...draft.columns].map(([name, column]) => [name, this.#column(draft, column)]));
    this.#open.pop();
    const relation: Relation = {
      schema: draft.schema,
      name: draft.name,
      id: draft.name,
      was: draft.was,
      kind: draft.kind,
      comment: draft.comment,
      collection: draft.stored ? collectionName(draft.schema, draft.name) : undefined,
      columns,
      primaryKey:
        draft.kind === 'view' && draft.primaryKey.length === 0 ? this.#viewKey(columns) : draft.primaryKey,
      unique: draft.unique,
      foreignKeys: draft.foreignKeys,
      checks: draft.checks,
      indexes: draft.indexes,
      from: draft.from,
      where: draft.where,
      grants: draft.grants,
      policies: draft.policies,
      definer: draft.definer,
      live: draft.live,
      person: draft.person,
    };
    this.#done.set(draft, relation);
    return relation;
  }

  #column(draft: RelationDraft, column: ColumnDraft): Column {
    const { place: _place, base, ...rest } = column;
    const reference = this.#base(draft, column);
    const source = reference === undefined ? undefined : this.#columnOf(reference);
    const computed = draft.from !== undefined;
    return {
      ...rest,
      // A computed view reads its base's documents: the member is the base's.
      field: computed && source !== undefined ? source.field : column.field,
      type: column.type ?? source?.type ?? typeNamed('text'),
      values: column.values ?? source?.values,
      required: column.required || (computed && source?.required === true),
      base: reference,
    };
  }

  #base(draft: RelationDraft, column: ColumnDraft): ColumnName | undefined {
    if (column.base === undefined) {
      if (draft.from !== undefined) {
        this.#reading.source.error(
          column.place,
          `a column of a view with "from" needs "base", a column of "${draft.from.relation}"`,
        );
      }
      return undefined;
    }
    const relation = column.base.relation ?? draft.from;
    if (relation === undefined) {
      this.#reading.source.error(column.place, 'the base of a stored view\'s column names its "relation"');
      return undefined;
    }
    if (draft.from !== undefined && !sameRelation(relation, draft.from)) {
      this.#reading.source.error(
        column.place,
        `a view has the columns of its "from" only, "${draft.from.relation}"`,
      );
      return undefined;
    }
    return this.#check(column, { ...relation, column: column.base.column });
  }

  /** The reference itself if its target exists. */
  #check(column: ColumnDraft, reference: ColumnName): ColumnName | undefined {
    const schema = this.#drafts.get(reference.schema);
    const relation = schema?.get(reference.relation);
    if (relation === undefined) {
      const near = suggestion(reference.relation, schema?.keys() ?? []);
      this.#reading.source.error(
        column.place,
        `no relation "${reference.schema}.${reference.relation}"${near}`,
      );
      return undefined;
    }
    if (this.#open.includes(relation)) {
      const cycle = [...this.#open.slice(this.#open.indexOf(relation)), relation];
      const message = `views in a circle: ${cycle.map(({ name }) => name).join(' -> ')}`;
      // A stored view has its own rows; it only loses what it would have inherited.
      if (this.#open.at(-1)?.stored === true) this.#reading.source.warning(column.place, message);
      else this.#reading.source.error(column.place, message);
      return undefined;
    }
    if (relation.columns.has(reference.column)) return reference;
    const near = suggestion(reference.column, relation.columns.keys());
    this.#reading.source.error(
      column.place,
      `no column "${reference.column}" in "${reference.relation}"${near}`,
    );
    return undefined;
  }

  #columnOf(reference: ColumnName): Column | undefined {
    const draft = this.#drafts.get(reference.schema)?.get(reference.relation);
    return draft === undefined ? undefined : this.relation(draft).columns.get(reference.column);
  }

  /** The primary keys of the base tables whose key columns are all selected. */
  #viewKey(columns: ReadonlyMap<string, Column>): string[] {
    const byTable = new Map<string, { draft: RelationDraft; selected: Map<string, string> }>();
    for (const { name, base } of columns.values()) {
      const origin = base === undefined ? undefined : this.#origin(base);
      if (origin === undefined) continue;
      const id = JSON.stringify([origin.draft.schema, origin.draft.name]);
      const table = byTable.get(id) ?? { draft: origin.draft, selected: new Map<string, string>() };
      if (!table.selected.has(origin.column)) table.selected.set(origin.column, name);
      byTable.set(id, table);
    }
    return [...byTable.values()].flatMap(({ draft, selected }) => {
      const key = draft.primaryKey.map((column) => selected.get(column));
      return key.every((column) => column !== undefined) ? key : [];
    });
  }

  /** The column of a table at the end of a chain of views. */
  #origin(reference: ColumnName): { draft: RelationDraft; column: string } | undefined {
    const draft = this.#drafts.get(reference.schema)?.get(reference.relation);
    if (draft === undefined) return undefined;
    if (draft.kind === 'table') return { draft, column: reference.column };
    const base = this.relation(draft).columns.get(reference.column)?.base;
    return base === undefined ? undefined : this.#origin(base);
  }
}

function sameRelation(a: RelationName, b: RelationName): boolean {
  return a.schema === b.schema && a.relation === b.relation;
}
