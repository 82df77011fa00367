/** What relations say about each other: keys, references and conditions must name existing columns. */
import { isServiceError } from 'plugboard/sdk';
import {
  relationOf,
  type Catalog,
  type Conditions,
  type ForeignKey,
  type Relation,
  type Rule,
} from './model.js';
import type { Reading } from './reading.js';
import type { RelationDraft } from './relations.js';
import type { Place } from './source.js';
import { suggestion } from './suggestion.js';

/** Throws what is wrong with the rule of a policy. */
export type CheckRule = (catalog: Catalog, relation: Relation, policy: string, rule: Rule) => unknown;

export function crossCheck(
  reading: Reading,
  catalog: Catalog,
  drafts: ReadonlyMap<string, ReadonlyMap<string, RelationDraft>>,
  checkRule: CheckRule | undefined,
): void {
  for (const [schema, relations] of drafts) {
    for (const [name, draft] of relations) {
      const relation = relationOf(catalog, { schema, relation: name });
      if (relation !== undefined) new RelationCheck(reading, catalog, draft, relation).run(checkRule);
    }
  }
}

/** Types that have words. */
const SEARCHED: ReadonlySet<string> = new Set(['text', 'json', 'tsvector', 'unknown']);

class RelationCheck {
  readonly #reading: Reading;
  readonly #catalog: Catalog;
  readonly #draft: RelationDraft;
  readonly #relation: Relation;

  constructor(reading: Reading, catalog: Catalog, draft: RelationDraft, relation: Relation) {
    this.#reading = reading;
    this.#catalog = catalog;
    this.#draft = draft;
    this.#relation = relation;
  }

  run(checkRule: CheckRule | undefined): void {
    const { unique, foreignKeys, checks, from } = this.#draft;
    this.#columns(this.#place('primaryKey'), this.#relation, this.#draft.primaryKey);
    for (const constraint of unique) {
      this.#columns(this.#place('unique', constraint.name), this.#relation, constraint.columns);
    }
    for (const { name, type, search } of this.#relation.columns.values()) {
      if (search === undefined || this.#draft.columns.get(name)?.search === undefined) continue;
      if (this.#relation.collection === undefined) {
        this.#reading.source.error(
          this.#draft.columns.get(name)!.place,
          'a view keeps no words: its base has "search"',
        );
      } else if (!SEARCHED.has(type.family)) {
        const place = this.#draft.columns.get(name)!.place;
        this.#reading.source.error(
          place,
          `"search" takes a column of text, json or tsvector, not ${type.name}`,
        );
      }
    }
    for (const index of this.#draft.indexes) this.#columns(this.#place('indexes'), this.#relation, index);
    const { person } = this.#draft;
    if (person !== undefined) this.#columns(this.#place('person'), this.#relation, [person.column]);
    for (const key of foreignKeys) this.#foreignKey(key);
    for (const check of checks) {
      this.#conditions(this.#place('checks', check.name), this.#relation, check.conditions);
    }
    this.#guards(checkRule);
    const base = from === undefined ? undefined : relationOf(this.#catalog, from);
    if (from !== undefined && base === undefined) {
      const near = suggestion(from.relation, this.#catalog.schemas.get(from.schema)?.relations.keys() ?? []);
      this.#reading.source.error(this.#place('from'), `no relation "${from.schema}.${from.relation}"${near}`);
    }
    if (base !== undefined) this.#conditions(this.#place('where'), base, this.#draft.where);
  }

  #foreignKey(key: ForeignKey): void {
    const place = this.#place('foreignKeys', key.name);
    const target = relationOf(this.#catalog, key.references);
    this.#columns(place, this.#relation, key.columns);
    if (target === undefined) {
      const { schema, relation } = key.references;
      const near = suggestion(relation, this.#catalog.schemas.get(schema)?.relations.keys() ?? []);
      this.#reading.source.error(place, `no relation "${schema}.${relation}"${near}`);
      return;
    }
    this.#columns(place, target, key.references.columns);
    if (key.columns.length !== key.references.columns.length || key.columns.length === 0) {
      this.#reading.source.error(
        place,
        'a foreign key has as many columns as it references, and at least one',
      );
    } else if (
      target.kind === 'table' &&
      this.#relation.kind === 'table' &&
      !isKey(target, key.references.columns)
    ) {
      this.#reading.source.error(
        place,
        `(${key.references.columns.join(', ')}) is neither the primary key nor a unique constraint of "${target.name}"`,
      );
    }
  }

  /** Names of columns, operators and literals; cycles between policies are found when all are known. */
  #guards(checkRule: CheckRule | undefined): void {
    const { grants, policies } = this.#relation;
    for (const [role, grant] of grants ?? []) {
      for (const columns of [grant.select, grant.insert, grant.update])
        if (columns !== '*') this.#columns(this.#place('grants', role), this.#relation, columns);
    }
    for (const { name, using, check } of policies) {
      for (const rule of [using, check]) {
        try {
          if (rule !== undefined) checkRule?.(this.#catalog, this.#relation, name, rule);
        } catch (error) {
          // Missing names are reported elsewhere, and values of domains cannot be read yet.
          if (isServiceError(error)) this.#reading.source.error(this.#place('policies', name), error.message);
        }
      }
    }
  }

  #columns(place: Place, relation: Relation, columns: readonly string[]): void {
    for (const column of columns) {
      if (relation.columns.has(column)) continue;
      const near = suggestion(column, relation.columns.keys());
      this.#reading.source.error(place, `no column "${column}" in "${relation.name}"${near}`);
    }
  }

  /** Only the names; operands are read when the filters are compiled. */
  #conditions(place: Place, relation: Relation, conditions: Conditions): void {
    const names = conditions.map(([name]) => name).filter((name) => !/^(not\.)?(and|or)$/.test(name));
    this.#columns(
      place,
      relation,
      names.map((name) => name.split('->')[0] ?? name),
    );
  }

  #place(key: string, name?: string): Place {
    const place = this.#draft.places.get(key) ?? this.#draft.place;
    return (name === undefined ? undefined : place.entries?.get(name)?.key) ?? place;
  }
}

function isKey(relation: Relation, columns: readonly string[]): boolean {
  const wanted = columns.toSorted().join('\0');
  return [relation.primaryKey, ...relation.unique.map((constraint) => constraint.columns)].some(
    (key) => key.toSorted().join('\0') === wanted,
  );
}
