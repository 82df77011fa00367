/** Relations as the file declares them: tables in full, views before their columns are resolved. */
import { CONFIGURATION_NAMES } from '../search/configuration.js';
import { typeNamed, knownType } from '../values/types.js';
import { enumeration } from '../values/text.js';
import type { ValueType } from '../values/type.js';
import { readDefault } from './defaults.js';
import type { Column, Conditions, ForeignKey, ReferentialAction, Relation, RelationName } from './model.js';
import { fieldName } from './naming.js';
import type { Domain } from './domains.js';
import { readGrants, readPolicies } from './policies.js';
import { readPerson } from './person-column.js';
import type { Reading } from './reading.js';
import type { Place } from './source.js';

/** A relation and the places that later problems point at. */
export interface RelationDraft extends Omit<Relation, 'id' | 'collection' | 'columns'> {
  readonly place: Place;
  readonly stored: boolean;
  readonly columns: ReadonlyMap<string, ColumnDraft>;
  readonly places: ReadonlyMap<string, Place>;
}

/** A column whose type may still have to come from its base. */
export interface ColumnDraft extends Omit<Column, 'type' | 'base'> {
  readonly place: Place;
  readonly type: ValueType | undefined;
  readonly base: { readonly relation: RelationName | undefined; readonly column: string } | undefined;
}

const RELATION_KEYS = [
  'kind',
  'was',
  'comment',
  'columns',
  'primaryKey',
  'unique',
  'foreignKeys',
  'checks',
  'indexes',
  'from',
  'where',
  'stored',
  'grants',
  'policies',
  'definer',
  'live',
  'person',
];
const COLUMN_KEYS = ['type', 'comment', 'required', 'default', 'generated', 'enum', 'base', 'was', 'search'];
const ACTIONS: readonly ReferentialAction[] = ['no action', 'restrict', 'cascade', 'set null', 'set default'];

export function readRelations(
  reading: Reading,
  schema: string,
  place: Place | undefined,
  domains: Domains,
): Map<string, RelationDraft> {
  const relations = new Map<string, RelationDraft>();
  for (const [name, relation] of reading.members(place)) {
    relations.set(name, readRelation(reading, schema, name, relation, domains));
  }
  return relations;
}

type Domains = ReadonlyMap<string, Domain>;

function readRelation(
  reading: Reading,
  schema: string,
  name: string,
  place: Place,
  domains: Domains,
): RelationDraft {
  const members = reading.members(place, RELATION_KEYS);
  const kind = reading.oneOf(members.get('kind'), ['table', 'view'], 'table');
  const from = members.get('from');
  const stored = kind === 'table' || reading.flag(members.get('stored'));
  if (kind === 'view' && !stored && from === undefined) {
    reading.source.error(place, 'a view needs "from", the relation that it reads, or "stored: true"');
  }
  if (from !== undefined && stored) {
    reading.source.error(
      from,
      `a ${kind === 'table' ? 'table' : 'stored view'} keeps its own rows and takes no "from"`,
    );
  }
  const was = members.get('was');
  if (was !== undefined && !stored) reading.source.error(was, 'a view with "from" has no rows to keep');
  const policies = members.get('policies');
  if (policies !== undefined && !stored)
    reading.source.error(
      policies,
      'a view with "from" has no policies of its own: the relation under it has',
    );
  const definer = members.get('definer');
  if (definer !== undefined && stored)
    reading.source.error(definer, 'only a view with "from" reads another relation');
  const live = members.get('live');
  if (live !== undefined && kind !== 'table')
    reading.source.error(live, 'only a table is live, and with it the views that read it');
  const person = members.get('person');
  if (person !== undefined && kind !== 'table')
    reading.source.error(person, 'only a table says whose its rows are');
  if (members.get('columns') === undefined) reading.source.error(place, 'the key "columns" is missing');
  const columns = new Map<string, ColumnDraft>();
  for (const [column, inner] of reading.members(members.get('columns'))) {
    columns.set(column, readColumn(reading, schema, column, inner, domains));
  }
  return {
    schema,
    name,
    place,
    kind,
    stored,
    was: reading.text(was),
    comment: reading.text(members.get('comment')),
    columns,
    primaryKey: reading.texts(members.get('primaryKey')),
    unique: named(reading, members.get('unique'), (inner) => reading.texts(inner)).map(
      ([constraint, on]) => ({
        name: constraint,
        columns: on,
      }),
    ),
    foreignKeys: named(reading, members.get('foreignKeys'), (inner) => inner).map(([constraint, inner]) =>
      readForeignKey(reading, schema, constraint, inner),
    ),
    checks: named(reading, members.get('checks'), (inner) => readConditions(reading, inner)).map(
      ([constraint, conditions]) => ({ name: constraint, conditions }),
    ),
    indexes: reading.list(members.get('indexes')).map((inner) => reading.texts(inner)),
    from: from === undefined ? undefined : readRelationName(reading, schema, from),
    where: readConditions(reading, members.get('where')),
    grants: readGrants(reading, members.get('grants')),
    policies: readPolicies(reading, schema, policies),
    definer: reading.flag(definer),
    live: reading.flag(live),
    person: readPerson(reading, person),
    places: members,
  };
}

function readColumn(
  reading: Reading,
  schema: string,
  name: string,
  place: Place,
  domains: Domains,
): ColumnDraft {
  const short = place.entries === undefined ? place : undefined;
  const members = short === undefined ? reading.members(place, COLUMN_KEYS) : new Map<string, Place>();
  const typePlace = short ?? members.get('type');
  const values = members.has('enum') ? reading.texts(members.get('enum')) : undefined;
  const domain = typeof typePlace?.value === 'string' ? domains.get(typePlace.value) : undefined;
  const type = domain?.type ?? (typePlace === undefined ? undefined : readType(reading, typePlace, values));
  const base = members.get('base');
  if (type === undefined && base === undefined && typePlace === undefined) {
    reading.source.error(place, 'a column needs a "type"');
  }
  return {
    name,
    id: name,
    place,
    field: fieldName(name),
    type,
    comment: reading.text(members.get('comment')),
    required: reading.flag(members.get('required')),
    // A domain's module is not loaded yet; a default is of the underlying type.
    default: readDefault(reading, members.get('default'), type?.over ?? type),
    generated: reading.flag(members.get('generated')),
    was: reading.text(members.get('was')),
    search: readSearch(reading, members.get('search')),
    values,
    base: base === undefined ? undefined : readBase(reading, schema, base),
  };
}

function readSearch(reading: Reading, place: Place | undefined): string | undefined {
  return place === undefined ? undefined : reading.oneOf(place, CONFIGURATION_NAMES, 'english');
}

/** A type by name; an unknown one is a warning. */
export function readType(reading: Reading, place: Place, values?: readonly string[]): ValueType | undefined {
  const name = reading.text(place);
  if (name === undefined) return undefined;
  if (values !== undefined) return enumeration(name, values);
  if (knownType(name) === undefined) {
    reading.source.warning(place, `unknown type "${name}": its values pass as they are`);
  }
  return typeNamed(name);
}

/** `title`, a column of the view's `from`, or `{ schema, relation, column }`. */
function readBase(reading: Reading, schema: string, place: Place): ColumnDraft['base'] {
  if (place.entries === undefined) {
    const column = reading.text(place);
    return column === undefined ? undefined : { relation: undefined, column };
  }
  const members = reading.members(place, ['schema', 'relation', 'column']);
  const relation = reading.text(members.get('relation'));
  const column = reading.text(members.get('column'));
  if (column === undefined) {
    reading.source.error(place, 'a base names its "column"');
    return undefined;
  }
  return {
    relation:
      relation === undefined
        ? undefined
        : { schema: reading.text(members.get('schema')) ?? schema, relation },
    column,
  };
}

function readForeignKey(reading: Reading, schema: string, name: string, place: Place): ForeignKey {
  const members = reading.members(place, ['columns', 'references', 'onDelete', 'onUpdate']);
  const references = reading.members(members.get('references'), ['schema', 'relation', 'columns']);
  for (const key of ['columns', 'references']) {
    if (!members.has(key)) reading.source.error(place, `the key "${key}" is missing`);
  }
  return {
    name,
    columns: reading.texts(members.get('columns')),
    references: {
      schema: reading.text(references.get('schema')) ?? schema,
      relation: reading.text(references.get('relation')) ?? '',
      columns: reading.texts(references.get('columns')),
    },
    onDelete: reading.oneOf(members.get('onDelete'), ACTIONS, 'no action'),
    onUpdate: reading.oneOf(members.get('onUpdate'), ACTIONS, 'no action'),
  };
}

/** `films`, in the same schema, or `{ schema, relation }`. */
export function readRelationName(reading: Reading, schema: string, place: Place): RelationName {
  if (place.entries === undefined) return { schema, relation: reading.text(place) ?? '' };
  const members = reading.members(place, ['schema', 'relation']);
  return {
    schema: reading.text(members.get('schema')) ?? schema,
    relation: reading.text(members.get('relation')) ?? '',
  };
}

/** Parameters of the filter language; a list gives one parameter several times. */
export function readConditions(reading: Reading, place: Place | undefined): Conditions {
  return [...reading.members(place)].flatMap(([name, value]) =>
    (value.items ?? [value]).flatMap((item): [string, string][] => {
      const text = reading.text(item);
      return text === undefined ? [] : [[name, text]];
    }),
  );
}

function named<T>(reading: Reading, place: Place | undefined, read: (place: Place) => T): [string, T][] {
  return [...reading.members(place)].map(([name, inner]) => [name, read(inner)]);
}
