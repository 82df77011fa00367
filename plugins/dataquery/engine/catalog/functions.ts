/** Functions as the file declares them. */
import { resolve } from 'node:path';
import { knownType } from '../values/types.js';
import { readLiteral } from './defaults.js';
import {
  relationOf,
  type Argument,
  type Catalog,
  type CatalogFunction,
  type FunctionBody,
  type RelationName,
  type Returns,
} from './model.js';
import type { Reading } from './reading.js';
import { readConditions, readRelationName, readType } from './relations.js';
import type { Place } from './source.js';
import { suggestion } from './suggestion.js';

const FUNCTION_KEYS = [
  'comment',
  'args',
  'returns',
  'from',
  'where',
  'join',
  'module',
  'export',
  'volatile',
  'definer',
];

/** By name; a list of declarations under one name are overloads. */
export function readFunctions(
  reading: Reading,
  schema: string,
  place: Place | undefined,
  catalog: Catalog,
  directory: string,
): Map<string, CatalogFunction[]> {
  const reader = new FunctionReader(reading, schema, catalog, directory);
  return new Map(
    [...reading.members(place)].map(([name, inner]) => [
      name,
      (inner.items ?? [inner]).map((one) => reader.read(name, one)),
    ]),
  );
}

class FunctionReader {
  readonly #reading: Reading;
  readonly #schema: string;
  readonly #catalog: Catalog;
  readonly #directory: string;

  constructor(reading: Reading, schema: string, catalog: Catalog, directory: string) {
    this.#reading = reading;
    this.#schema = schema;
    this.#catalog = catalog;
    this.#directory = directory;
  }

  read(name: string, place: Place): CatalogFunction {
    const members = this.#reading.members(place, FUNCTION_KEYS);
    const args = [...this.#reading.members(members.get('args'))].map(([argument, inner]) =>
      this.#argument(argument, inner),
    );
    const returns = this.#returns(members.get('returns'), place);
    const body = this.#body(name, place, members, args, returns);
    return {
      schema: this.#schema,
      name,
      comment: this.#reading.text(members.get('comment')),
      args,
      returns,
      body,
      volatile: this.#reading.flag(members.get('volatile')),
      definer: this.#reading.flag(members.get('definer')),
    };
  }

  #argument(name: string, place: Place): Argument {
    if (place.entries === undefined) {
      const type = readType(this.#reading, place);
      return { name, type: type ?? fallback(), default: undefined, optional: false };
    }
    const members = this.#reading.members(place, ['type', 'row', 'default']);
    const row = members.get('row');
    if (row !== undefined) {
      return { name, type: { row: this.#relation(row) }, default: undefined, optional: false };
    }
    const typePlace = members.get('type');
    if (typePlace === undefined) this.#reading.source.error(place, 'an argument needs a "type" or a "row"');
    const type = (typePlace && readType(this.#reading, typePlace)) ?? fallback();
    const value = members.get('default');
    return {
      name,
      type,
      default: value === undefined ? undefined : readLiteral(this.#reading, value, type),
      optional: value !== undefined,
    };
  }

  #returns(place: Place | undefined, whole: Place): Returns {
    if (place === undefined) {
      this.#reading.source.error(whole, 'the key "returns" is missing');
      return { kind: 'void' };
    }
    if (place.entries === undefined) return this.#named(place, false, undefined);
    const members = this.#reading.members(place, ['setof', 'row', 'type', 'rows']);
    const rows = this.#reading.integer(members.get('rows'));
    const setof = members.get('setof');
    if (setof !== undefined) return this.#named(setof, true, rows);
    const row = members.get('row');
    if (row !== undefined) return { kind: 'row', relation: this.#relation(row), set: false, rows };
    const type = members.get('type');
    if (type === undefined) {
      this.#reading.source.error(place, 'must have "type", "row" or "setof"');
      return { kind: 'void' };
    }
    return this.#named(type, false, rows);
  }

  /** `void`, a relation, or a type: by name, `{ type }` or `{ schema, relation }`. */
  #named(place: Place, set: boolean, rows: number | undefined): Returns {
    const inner = place.entries?.get('type')?.value ?? place;
    if (inner.entries !== undefined) return { kind: 'row', relation: this.#relation(inner), set, rows };
    const name = this.#reading.text(inner) ?? '';
    if (name === 'void') return { kind: 'void' };
    const relation = { schema: this.#schema, relation: name };
    if (relationOf(this.#catalog, relation) !== undefined) return { kind: 'row', relation, set, rows };
    if (set && knownType(name) === undefined && inner === place) {
      return { kind: 'row', relation: this.#relation(inner), set, rows };
    }
    return { kind: 'scalar', type: readType(this.#reading, inner) ?? fallback(), set };
  }

  #body(
    name: string,
    place: Place,
    members: ReadonlyMap<string, Place>,
    args: readonly Argument[],
    returns: Returns,
  ): FunctionBody {
    const module = this.#reading.text(members.get('module'));
    const fromPlace = members.get('from');
    if (module !== undefined) {
      const exportName = this.#reading.text(members.get('export')) ?? name;
      return { kind: 'module', file: resolve(this.#directory, module), exportName };
    }
    const returned = returns.kind === 'row' ? returns.relation : undefined;
    if (fromPlace === undefined && returned === undefined) {
      this.#reading.source.error(place, 'a function needs "from", the relation that it reads, or "module"');
    }
    const from = fromPlace === undefined ? (returned ?? NOWHERE) : this.#relation(fromPlace);
    return {
      kind: 'query',
      from,
      where: readConditions(this.#reading, members.get('where')),
      join: [...this.#reading.members(members.get('join'))].flatMap(([column, inner]) =>
        this.#join(column, inner, from, args),
      ),
    };
  }

  /** `id: film.director_id`: a column of `from`, and a column of the argument's row. */
  #join(column: string, place: Place, from: RelationName, args: readonly Argument[]) {
    const text = this.#reading.text(place) ?? '';
    const dot = text.indexOf('.');
    const argument = args.find(({ name }) => name === text.slice(0, dot));
    const of = text.slice(dot + 1);
    if (argument === undefined || !('row' in argument.type)) {
      const rows = args.filter(({ type }) => 'row' in type).map(({ name }) => name);
      this.#reading.source.error(place, `must be a column of a row argument, like "${rows[0] ?? 'row'}.id"`);
      return [];
    }
    this.#column(place, argument.type.row, of);
    this.#column(place, from, column);
    return [{ column, argument: argument.name, of }];
  }

  #column(place: Place, name: RelationName, column: string): void {
    const relation = relationOf(this.#catalog, name);
    if (relation === undefined || relation.columns.has(column)) return;
    const near = suggestion(column, relation.columns.keys());
    this.#reading.source.error(place, `no column "${column}" in "${name.relation}"${near}`);
  }

  #relation(place: Place): RelationName {
    const name = readRelationName(this.#reading, this.#schema, place);
    if (relationOf(this.#catalog, name) === undefined) {
      const near = suggestion(name.relation, this.#catalog.schemas.get(name.schema)?.relations.keys() ?? []);
      this.#reading.source.error(place, `no relation "${name.schema}.${name.relation}"${near}`);
    }
    return name;
  }
}

const NOWHERE: RelationName = { schema: '', relation: '' };

/** Replaces a type that could not be read; the file is refused anyway. */
function fallback() {
  return knownType('text') as NonNullable<ReturnType<typeof knownType>>;
}
