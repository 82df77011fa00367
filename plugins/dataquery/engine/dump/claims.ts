/** How policies of Supabase and PostgREST read a claim. */
import type { Node } from 'libpg-query';
import { as, literal, names, operatorOf } from './nodes.js';

const FUNCTIONS: Readonly<Record<string, readonly string[]>> = {
  uid: ['sub'],
  role: ['role'],
  email: ['email'],
  jwt: [],
};

/** `app_metadata.role` for `auth.jwt() -> 'app_metadata' ->> 'role'`; undefined if it is not a claim. */
export function claimPath(node: Node | undefined): string | undefined {
  const path = pathOf(node);
  if (path === undefined || path.length === 0 || path.some((name) => name.includes('"'))) return undefined;
  return path.map((name) => (/^\w+$/.test(name) ? name : `"${name}"`)).join('.');
}

function pathOf(node: Node | undefined): readonly string[] | undefined {
  const cast = as(node, 'TypeCast');
  if (cast !== undefined) return pathOf(cast.arg);
  const call = as(node, 'FuncCall');
  if (call !== undefined) {
    const [schema, name = ''] = names(call.funcname).slice(-2);
    if (schema === 'auth') return FUNCTIONS[name];
    return names(call.funcname).at(-1) === 'current_setting' ? setting(literal(call.args?.[0])) : undefined;
  }
  // (select auth.uid()), which PostgreSQL evaluates once
  const select = as(as(node, 'SubLink')?.subselect, 'SelectStmt');
  if (as(node, 'SubLink')?.subLinkType === 'EXPR_SUBLINK' && select?.fromClause === undefined)
    return pathOf(as(select?.targetList?.[0], 'ResTarget')?.val);
  const expression = as(node, 'A_Expr');
  if (expression === undefined) return undefined;
  if (expression.kind === 'AEXPR_NULLIF' && literal(expression.rexpr) === '') return pathOf(expression.lexpr);
  const [inner, key] = [pathOf(expression.lexpr), literal(expression.rexpr)];
  const isStep = ['->', '->>'].includes(operatorOf(expression)) && expression.kind === 'AEXPR_OP';
  return isStep && inner !== undefined && typeof key === 'string' ? [...inner, key] : undefined;
}

function setting(name: string | null | undefined): readonly string[] | undefined {
  if (name === 'request.jwt.claims') return [];
  return name?.startsWith('request.jwt.claim.') === true
    ? [name.slice('request.jwt.claim.'.length)]
    : undefined;
}
