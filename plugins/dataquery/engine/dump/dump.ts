/** From a schema of `pg_dump --schema-only` to a catalog, and a list of what it cannot express. */
import type { Node } from 'libpg-query';
import { Draft, shown, type Omission } from './model.js';
import { as, keyOf, names, qualified, rangeName, typeText, type SqlName } from './nodes.js';
import { createPolicy, grant, guardRows } from './policies.js';
import { statementsOf, type Statement } from './statements.js';
import { alterTable, createIndex, createTable } from './tables.js';
import { catalogText } from './text.js';
import { createView, viewsWithoutBase } from './views.js';

export interface MadeCatalog {
  /** YAML. */
  readonly text: string;
  readonly relations: number;
  /** By line. */
  readonly omissions: readonly Omission[];
}

/**
 * `schemas` are to be exposed; without any, `public`, or all of the dump's. `shown`: the dump's name in errors. Throws
 * a UserError if it is not SQL.
 */
export async function catalogOfDump(
  sql: string,
  shownAs: string,
  schemas: readonly string[],
): Promise<MadeCatalog> {
  const draft = new Draft();
  const statements = await statementsOf(sql, shownAs);
  for (const statement of statements) take(draft, statement);
  const exposed = exposedOf(draft, schemas);
  for (const [key, { name }] of draft.relations) {
    if (exposed.includes(name.schema)) continue;
    draft.relations.delete(key);
  }
  viewsWithoutBase(draft);
  for (const relation of draft.relations.values()) {
    for (const [name, { draft: key, line }] of relation.foreignKeys) {
      const target = { schema: key.references.schema, name: key.references.relation };
      const found = draft.relation(target);
      if (key.references.columns.length === 0) key.references.columns = [...(found?.primaryKey ?? [])];
      if (found !== undefined) continue;
      relation.foreignKeys.delete(name);
      draft.omit(
        relation.name.schema,
        line,
        `${shown(relation.name)}, ${name}: a key of ${shown(target)}, which is left out`,
      );
    }
    guardRows(draft, relation);
  }
  const isLeftOut = ({ schema }: SqlName): boolean => !exposed.includes(schema);
  return {
    text: catalogText(draft, exposed),
    relations: draft.relations.size,
    omissions: [
      ...draft.omissions.filter(({ schema }) => exposed.includes(schema)),
      ...otherSchemas(statements, isLeftOut),
    ].toSorted((a, b) => a.line - b.line),
  };
}

function exposedOf({ relations }: Draft, wanted: readonly string[]): readonly string[] {
  const all = [...new Set([...relations.values()].map(({ name }) => name.schema))];
  if (wanted.length > 0) return wanted;
  return all.includes('public') || all.length === 0 ? ['public'] : all;
}

function take(draft: Draft, statement: Statement): void {
  const { node, line } = statement;
  const [kind = ''] = Object.keys(node);
  switch (kind) {
    case 'CreateStmt':
      return createTable(draft, as(node, 'CreateStmt')!, statement);
    case 'AlterTableStmt': {
      const { relation, cmds = [] } = as(node, 'AlterTableStmt')!;
      const table = draft.relation(rangeName(relation ?? {}));
      for (const command of table === undefined ? [] : cmds)
        alterTable(draft, table!, as(command, 'AlterTableCmd') ?? {}, statement);
      return;
    }
    case 'IndexStmt':
      return createIndex(draft, as(node, 'IndexStmt')!, statement);
    case 'ViewStmt':
      return createView(draft, as(node, 'ViewStmt')!, statement);
    case 'CreatePolicyStmt':
      return createPolicy(draft, as(node, 'CreatePolicyStmt')!, statement);
    case 'GrantStmt':
      return grant(draft, as(node, 'GrantStmt')!);
    case 'CreateEnumStmt': {
      const { typeName, vals } = as(node, 'CreateEnumStmt')!;
      draft.enums.set(keyOf(qualified(names(typeName))), names(vals));
      return;
    }
    case 'CreateDomainStmt':
      return createDomain(draft, node);
    case 'CommentStmt':
      return comment(draft, node);
    default: {
      const left = leftKind(node);
      if (left !== undefined) draft.omit(left.name.schema, line, `${left.what}: ${shown(left.name)}`);
    }
  }
}

function createDomain(draft: Draft, node: Node): void {
  const { domainname, typeName, constraints = [] } = as(node, 'CreateDomainStmt')!;
  const checks = constraints.flatMap((each) => as(each, 'Constraint')?.raw_expr ?? []);
  draft.domains.set(keyOf(qualified(names(domainname))), { type: typeText(typeName), checks });
}

function comment(draft: Draft, node: Node): void {
  const { objtype, object, comment: text } = as(node, 'CommentStmt')!;
  const parts = names(as(object, 'List')?.items);
  const isColumn = objtype === 'OBJECT_COLUMN';
  const relation = draft.relation(qualified(isColumn ? parts.slice(0, -1) : parts));
  if (relation === undefined || text === undefined) return;
  if (!isColumn) relation.comment = text;
  else {
    const column = relation.columns.get(parts.at(-1) ?? '');
    if (column !== undefined) column.comment = text;
  }
}

/** What a catalog cannot hold, of the kinds that matter to users of the tables. */
function leftKind(node: Node): { name: SqlName; what: string } | undefined {
  const called = as(node, 'CreateFunctionStmt');
  if (called !== undefined)
    return {
      name: qualified(names(called.funcname)),
      what: called.is_procedure === true ? 'a procedure' : 'a function',
    };
  const trigger = as(node, 'CreateTrigStmt');
  if (trigger !== undefined) {
    const { schema, name } = rangeName(trigger.relation ?? {});
    return { name: { schema, name: `${trigger.trigname} of ${name}` }, what: 'a trigger' };
  }
  const stored = as(node, 'CreateTableAsStmt');
  if (stored !== undefined) return { name: rangeName(stored.into?.rel ?? {}), what: 'a materialized view' };
  const foreign = as(node, 'CreateForeignTableStmt');
  if (foreign !== undefined)
    return { name: rangeName(foreign.base?.relation ?? {}), what: 'a foreign table' };
  const rule = as(node, 'RuleStmt');
  if (rule !== undefined)
    return { name: { ...rangeName(rule.relation ?? {}), name: rule.rulename ?? '' }, what: 'a rule' };
  const type = as(node, 'CompositeTypeStmt');
  return type === undefined ? undefined : { name: rangeName(type.typevar ?? {}), what: 'a composite type' };
}

/** One line for each omitted schema. */
function otherSchemas(statements: readonly Statement[], isLeftOut: (name: SqlName) => boolean): Omission[] {
  const found = new Map<string, { line: number; tables: number }>();
  for (const { node, line } of statements) {
    const name = rangeName(as(node, 'CreateStmt')?.relation ?? as(node, 'ViewStmt')?.view ?? { relname: '' });
    if (name.name === '' || !isLeftOut(name)) continue;
    const { tables = 0, line: first = line } = found.get(name.schema) ?? {};
    found.set(name.schema, { line: first, tables: tables + 1 });
  }
  return [...found].map(([schema, { line, tables }]) => ({
    schema,
    line,
    text: `the schema ${schema} (tables and views: ${tables}); "--schema ${schema}" takes it`,
  }));
}
