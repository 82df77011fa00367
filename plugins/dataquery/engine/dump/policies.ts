/** Row security: policies, and grants of tables and columns. */
import type { CreatePolicyStmt, GrantStmt, Node } from 'libpg-query';
import { CannotSay, conjunction, termOf, type Scope, type Term } from './conditions.js';
import { shown, type Columns, type Draft, type PolicyDraft, type RelationDraft } from './model.js';
import { as, names, rangeName, type SqlName } from './nodes.js';
import { written, type Written } from './rules.js';
import type { Statement } from './statements.js';
import { tableScope } from './tables.js';

/** PostgREST's role of keys that bypass policies; here keys have the role `service`. */
const ROLES: Readonly<Record<string, string>> = { service_role: 'service' };

function roles(nodes: readonly Node[] | undefined): string[] {
  return (nodes ?? []).flatMap((node) => {
    const role = as(node, 'RoleSpec');
    if (role?.roletype === 'ROLESPEC_PUBLIC') return ['public'];
    const name = role?.rolename;
    return name === undefined ? [] : [ROLES[name] ?? name];
  });
}

export function createPolicy(draft: Draft, statement: CreatePolicyStmt, at: Statement): void {
  const { policy_name = '', table, cmd_name = 'all', permissive, qual, with_check } = statement;
  const relation = draft.relation(rangeName(table ?? {}));
  if (relation === undefined) return;
  const to = roles(statement.roles);
  relation.policyLine = at.line;
  const common: PolicyDraft = {
    ...(permissive !== true && { as: 'restrictive' as const }),
    ...(cmd_name !== 'all' && { for: cmd_name }),
    ...(!to.includes('public') && { to }),
  };
  const rules = (node: Node | undefined): (Written | boolean)[] | undefined =>
    node === undefined ? undefined : said(draft, relation, node, permissive === true);
  try {
    const checks = rules(with_check) ?? [undefined];
    const usings = rules(qual) ?? [undefined];
    const parts = usings.flatMap((using) => checks.map((check) => ({ using, check })));
    for (const [index, { using, check }] of parts.entries())
      relation.policies.set(index === 0 ? policy_name : `${policy_name} ${index + 1}`, {
        ...common,
        ...(using !== undefined && { using }),
        ...(check !== undefined && { check }),
      });
  } catch (error) {
    if (!(error instanceof CannotSay)) throw error;
    const label = `${shown(relation.name)}: the policy ${policy_name}, which a catalog cannot say`;
    if (permissive === true)
      return draft.omit(relation.name.schema, at.line, `${label}: what it allows is denied`);
    // Omitting it would open what it closes.
    const closed = cmd_name === 'insert' ? { check: false } : { using: false };
    relation.policies.set(policy_name, { ...common, ...closed });
    draft.omit(relation.name.schema, at.line, `${label}: it is false in the catalog, and denies everything`);
  }
}

/** Permissive policies add up, so each side of an `or` may be its own policy. */
function said(
  draft: Draft,
  relation: RelationDraft,
  node: Node,
  isPermissive: boolean,
): (Written | boolean)[] {
  const scopeOf = (name: SqlName): Scope | undefined => {
    const found = draft.relation(name);
    return found === undefined ? undefined : tableScope(found);
  };
  const term = termOf(node, tableScope(relation), { scopeOf, isPolicy: true });
  const whole = (one: Term): Written | boolean => written(one, relation.name.schema);
  try {
    return [whole(term)];
  } catch (error) {
    const only = conjunction(term);
    const [or] = only;
    if (!isPermissive || only.length !== 1 || or?.kind !== 'logic' || or.op !== 'or' || or.negated)
      throw error;
    return or.terms.map(whole);
  }
}

const COMMANDS = ['select', 'insert', 'update'] as const;

export function grant(draft: Draft, statement: GrantStmt): void {
  const { is_grant, objtype, targtype, objects = [], privileges, grantees } = statement;
  if (is_grant !== true || objtype !== 'OBJECT_TABLE' || targtype !== 'ACL_TARGET_OBJECT') return;
  for (const object of objects) {
    const relation = draft.relation(rangeName(as(object, 'RangeVar') ?? {}));
    if (relation === undefined) continue;
    draft.hasGrants = true;
    const rights = (privileges ?? []).flatMap((node) => as(node, 'AccessPriv') ?? []);
    for (const role of roles(grantees)) {
      const own = relation.grants.get(role) ?? {};
      relation.grants.set(role, own);
      for (const command of COMMANDS) {
        if (privileges === undefined) own[command] = '*';
        for (const { priv_name, cols } of rights)
          if (priv_name === command)
            own[command] = joined(own[command], cols === undefined ? '*' : names(cols));
      }
      if (privileges === undefined || rights.some(({ priv_name }) => priv_name === 'delete'))
        own.delete = true;
    }
  }
}

function joined(before: Columns | undefined, more: Columns): Columns {
  return before === '*' || more === '*' ? '*' : [...new Set([...(before ?? []), ...more])];
}

/** Row security without a permissive policy shows nothing; policies without row security do nothing. */
export function guardRows(draft: Draft, { name, policies, hasRowSecurity, policyLine }: RelationDraft): void {
  if (!hasRowSecurity && policies.size > 0) {
    draft.omit(
      name.schema,
      policyLine,
      `${shown(name)}: policies that do nothing, as its row security is off`,
    );
    policies.clear();
  }
  if (hasRowSecurity && [...policies.values()].every((policy) => policy.as === 'restrictive'))
    policies.set('nobody', { as: 'restrictive', using: false });
}
