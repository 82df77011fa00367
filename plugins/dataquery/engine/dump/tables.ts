/** Tables: columns with their types and defaults, keys, checks. */
import type { AlterTableCmd, ColumnDef, Constraint, CreateStmt, IndexStmt, Node } from 'libpg-query';
import { knownType } from '../values/types.js';
import { CannotSay, termOf, type Scope } from './conditions.js';
import { shown, type ColumnDraft, type Draft, type ForeignKeyDraft, type RelationDraft } from './model.js';
import { as, keyOf, literal, momentOf, names, qualified, rangeName, typeText } from './nodes.js';
import { written } from './rules.js';
import type { Statement } from './statements.js';

export function createTable(
  draft: Draft,
  { relation, tableElts = [], inhRelations }: CreateStmt,
  at: Statement,
): void {
  const table = draft.add(rangeName(relation ?? {}), 'table');
  for (const parent of inhRelations ?? []) {
    const from = draft.relation(rangeName(as(parent, 'RangeVar') ?? {}));
    for (const [name, column] of from?.columns ?? []) table.columns.set(name, { ...column });
    draft.omit(
      table.name.schema,
      at.line,
      `${shown(table.name)}: a read of a table it inherits from does not show its rows`,
    );
  }
  const elements = tableElts.map((element) => ({
    column: as(element, 'ColumnDef'),
    check: as(element, 'Constraint'),
  }));
  for (const { column } of elements) if (column !== undefined) addColumn(draft, table, column, at);
  for (const { check } of elements) if (check !== undefined) addConstraint(draft, table, check, at);
}

function addColumn(draft: Draft, table: RelationDraft, definition: ColumnDef, at: Statement): void {
  const { colname = '', typeName, constraints = [], location } = definition;
  const line = at.lineOf(location);
  const label = `${shown(table.name)}.${colname}`;
  const type = typeText(typeName);
  const isArray = type.endsWith('[]');
  const own = keyOf(qualified(names(typeName?.names)));
  const domain = draft.domains.get(own);
  const values = draft.enums.get(own);
  const column: ColumnDraft = { type: domain?.type ?? type };
  if (values !== undefined && !isArray) column.enum = values;
  else if (values !== undefined) {
    column.type = 'text[]';
    draft.omit(
      table.name.schema,
      line,
      `${label}: the values of an array of ${type.slice(0, -2)} are not checked`,
    );
  } else if (knownType(column.type) === undefined)
    draft.omit(
      table.name.schema,
      line,
      `${label}: the values of a type that the server does not know, ${column.type}, pass as they are`,
    );
  table.columns.set(colname, column);
  const scope = tableScope(table);
  for (const check of domain?.checks ?? []) {
    const value: Scope = { name: 'value', columns: new Map([['value', column.type]]) };
    addCheck(draft, table, `${table.name.name}_${colname}_check`, check, line, value, colname);
  }
  for (const node of constraints) {
    const constraint = as(node, 'Constraint');
    switch (constraint?.contype) {
      case 'CONSTR_NOTNULL':
        column.required = true;
        break;
      case 'CONSTR_DEFAULT':
        setDefault(draft, table, colname, constraint.raw_expr, line);
        break;
      case 'CONSTR_GENERATED':
        draft.omit(
          table.name.schema,
          line,
          `${label}: it is computed from other columns there, and an ordinary column here`,
        );
        break;
      case 'CONSTR_IDENTITY':
        setIdentity(column, constraint);
        break;
      case 'CONSTR_CHECK':
        addCheck(draft, table, constraint.conname ?? `${colname}_check`, constraint.raw_expr, line, scope);
        break;
      case 'CONSTR_PRIMARY':
      case 'CONSTR_UNIQUE':
        addConstraint(draft, table, { ...constraint, keys: [{ String: { sval: colname } }] }, at);
        break;
      case 'CONSTR_FOREIGN':
        addConstraint(draft, table, { ...constraint, fk_attrs: [{ String: { sval: colname } }] }, at);
        break;
      default:
        break;
    }
  }
}

function setIdentity(column: ColumnDraft, { generated_when }: Constraint): void {
  column.default = { generated: 'identity' };
  column.required = true;
  if (generated_when === 'a') column.generated = true;
}

const UUIDS = ['gen_random_uuid', 'uuid_generate_v4', 'uuid_generate_v1', 'uuid_generate_v1mc'];

function setDefault(
  draft: Draft,
  table: RelationDraft,
  name: string,
  expression: Node | undefined,
  line: number,
): void {
  const column = table.columns.get(name);
  if (column === undefined) return;
  const value = literal(expression);
  const moment = momentOf(expression);
  const call = names(as(expression, 'FuncCall')?.funcname).at(-1) ?? '';
  if (moment !== undefined) column.default = { generated: 'now' };
  else if (call === 'nextval') column.default = { generated: 'identity' };
  else if (UUIDS.includes(call)) column.default = { generated: 'uuid' };
  else if (value !== undefined) column.default = value === null ? null : asWritten(value, column.type);
  else draft.omit(table.name.schema, line, `${shown(table.name)}.${name}: its default is an expression`);
}

/** A number or a boolean without quotes, if that is the same value. */
function asWritten(text: string, type: string): string | number | boolean {
  const known = knownType(type);
  if (known?.family === 'boolean') return text === 'true' || text === 't';
  const isNumber = ['integer', 'numeric', 'float'].includes(known?.family ?? '');
  return isNumber && String(Number(text)) === text ? Number(text) : text;
}

export function tableScope({ name, columns }: RelationDraft): Scope {
  return { name: name.name, columns: new Map([...columns].map(([column, { type }]) => [column, type])) };
}

function addConstraint(draft: Draft, table: RelationDraft, constraint: Constraint, at: Statement): void {
  const line = at.lineOf(constraint.location);
  const keys = names(constraint.keys);
  const isKey = constraint.contype === 'CONSTR_FOREIGN';
  const parts = [table.name.name, ...(isKey ? names(constraint.fk_attrs) : keys), isKey ? 'fkey' : 'key'];
  const name = constraint.conname ?? parts.join('_');
  const label = `${shown(table.name)}, ${name}`;
  switch (constraint.contype) {
    case 'CONSTR_PRIMARY':
      table.primaryKey = keys;
      break;
    case 'CONSTR_UNIQUE':
      table.unique.set(name, keys);
      if (constraint.nulls_not_distinct === true)
        draft.omit(table.name.schema, line, `${label}: several rows with null are alike here`);
      break;
    case 'CONSTR_CHECK':
      addCheck(draft, table, name, constraint.raw_expr, line, tableScope(table));
      break;
    case 'CONSTR_FOREIGN':
      table.foreignKeys.set(name, { draft: foreignKey(constraint), line });
      if (constraint.deferrable === true)
        draft.omit(table.name.schema, line, `${label}: it is checked at once, and not at the commit`);
      if (constraint.fk_matchtype === 'f')
        draft.omit(table.name.schema, line, `${label}: "match full" is "match simple" here`);
      break;
    case 'CONSTR_NOTNULL':
      for (const key of keys) {
        const column = table.columns.get(key);
        if (column !== undefined) column.required = true;
      }
      break;
    default:
      draft.omit(table.name.schema, line, `${label}: a constraint of a kind that a catalog does not have`);
  }
}

const ACTIONS: Readonly<Record<string, string>> = {
  r: 'restrict',
  c: 'cascade',
  n: 'set null',
  d: 'set default',
};

function foreignKey({
  fk_attrs,
  pk_attrs,
  pktable,
  fk_del_action = '',
  fk_upd_action = '',
}: Constraint): ForeignKeyDraft {
  const { schema, name } = rangeName(pktable ?? {});
  const [onDelete, onUpdate] = [ACTIONS[fk_del_action], ACTIONS[fk_upd_action]];
  return {
    columns: names(fk_attrs),
    references: { schema, relation: name, columns: names(pk_attrs) },
    ...(onDelete !== undefined && { onDelete }),
    ...(onUpdate !== undefined && { onUpdate }),
  };
}

/** `as`: the column that replaces a domain's `value`. */
function addCheck(
  draft: Draft,
  table: RelationDraft,
  name: string,
  expression: Node | undefined,
  line: number,
  scope: Scope,
  column?: string,
): void {
  try {
    const term = termOf(expression, scope, { scopeOf: () => undefined, isPolicy: false });
    const rule = written(term, table.name.schema, column);
    if (rule === true) return;
    if (rule === false) throw new CannotSay();
    table.checks.set(name, rule);
  } catch (error) {
    if (!(error instanceof CannotSay)) throw error;
    draft.omit(table.name.schema, line, `${shown(table.name)}: the check ${name}, which filters cannot say`);
  }
}

/** One part of `ALTER TABLE`. */
export function alterTable(draft: Draft, table: RelationDraft, command: AlterTableCmd, at: Statement): void {
  const { subtype, name = '', def } = command;
  const column = table.columns.get(name);
  const constraint = as(def, 'Constraint');
  switch (subtype) {
    case 'AT_AddConstraint':
      if (constraint !== undefined) addConstraint(draft, table, constraint, at);
      break;
    case 'AT_ColumnDefault':
      setDefault(draft, table, name, def, at.line);
      break;
    case 'AT_AddIdentity':
      if (column !== undefined && constraint !== undefined) setIdentity(column, constraint);
      break;
    case 'AT_EnableRowSecurity':
      table.hasRowSecurity = true;
      break;
    case 'AT_AttachPartition': {
      const part = rangeName(as(def, 'PartitionCmd')?.name ?? {});
      draft.leaveOut(part, at.line, `a partition, whose rows are those of ${shown(table.name)}`);
      break;
    }
    default:
      break;
  }
}

export function createIndex(draft: Draft, index: IndexStmt, at: Statement): void {
  const { idxname = '', relation, accessMethod, indexParams = [], unique, whereClause } = index;
  const table = draft.relation(rangeName(relation ?? {}));
  if (table === undefined) return;
  const columns = indexParams.map((param) => as(param, 'IndexElem')?.name ?? '');
  const isPlain = accessMethod === 'btree' && whereClause === undefined && !columns.includes('');
  if (isPlain && unique === true) table.unique.set(idxname, columns);
  else if (isPlain) table.indexes.push(columns);
  else
    draft.omit(
      table.name.schema,
      at.line,
      `${shown(table.name)}: the ${unique === true ? 'unique ' : ''}index ${idxname}`,
    );
}
