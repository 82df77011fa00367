/** Helpers for the nodes of PostgreSQL's parser. */
import type { A_Expr, Node, RangeVar, TypeName } from 'libpg-query';

type Kinds = Node extends infer N ? (N extends Record<infer K, unknown> ? K : never) : never;
type Inner<K extends Kinds> = Extract<Node, Record<K, unknown>> extends Record<K, infer I> ? I : never;

/** The node, if it is of this kind. */
export function as<K extends Kinds>(node: Node | undefined, kind: K): Inner<K> | undefined {
  return (node as Partial<Record<K, Inner<K>>> | undefined)?.[kind];
}

/** The texts of a list of names. */
export function names(nodes: readonly Node[] | undefined): string[] {
  return (nodes ?? []).flatMap((node) => as(node, 'String')?.sval ?? []);
}

export function operatorOf({ name }: A_Expr): string {
  return names(name).at(-1) ?? '';
}

export interface SqlName {
  readonly schema: string;
  readonly name: string;
}

export function rangeName({ schemaname = 'public', relname = '' }: RangeVar): SqlName {
  return { schema: schemaname, name: relname };
}

/** Of `schema.name`, given as parts. */
export function qualified(parts: readonly string[]): SqlName {
  return { schema: parts.at(-2) ?? 'public', name: parts.at(-1) ?? '' };
}

export function keyOf({ schema, name }: SqlName): string {
  return JSON.stringify([schema, name]);
}

/** A literal as text, without casts and sign; null for NULL; undefined for anything else. */
export function literal(node: Node | undefined): string | null | undefined {
  const cast = as(node, 'TypeCast');
  if (cast !== undefined) return literal(cast.arg);
  const sign = as(node, 'A_Expr');
  if (sign !== undefined) {
    const number = sign.lexpr === undefined && operatorOf(sign) === '-' ? literal(sign.rexpr) : undefined;
    return typeof number === 'string' ? `-${number}` : undefined;
  }
  const constant = as(node, 'A_Const');
  if (constant === undefined) return undefined;
  if (constant.isnull === true) return null;
  // The parser omits zero, false and the empty text.
  if (constant.ival !== undefined) return String(constant.ival.ival ?? 0);
  if (constant.fval !== undefined) return constant.fval.fval ?? '0';
  if (constant.boolval !== undefined) return String(constant.boolval.boolval ?? false);
  return constant.sval?.sval ?? '';
}

/** `now` or `today`, as filters and defaults call the moment of a statement. */
export function momentOf(node: Node | undefined): 'now' | 'today' | undefined {
  const cast = as(node, 'TypeCast');
  if (cast !== undefined) {
    if (literal(cast.arg) === 'now') return 'now';
    const inner = momentOf(cast.arg);
    return inner !== undefined && typeText(cast.typeName) === 'date' ? 'today' : inner;
  }
  const call = as(node, 'FuncCall');
  if (call !== undefined) return names(call.funcname).at(-1) === 'now' ? 'now' : undefined;
  switch (as(node, 'SQLValueFunction')?.op) {
    case 'SVFOP_CURRENT_DATE':
      return 'today';
    case 'SVFOP_CURRENT_TIMESTAMP':
    case 'SVFOP_CURRENT_TIMESTAMP_N':
    case 'SVFOP_LOCALTIMESTAMP':
      return 'now';
    default:
      return undefined;
  }
}

const SQL_NAMES: Readonly<Record<string, string>> = {
  int2: 'smallint',
  int4: 'integer',
  int8: 'bigint',
  float4: 'real',
  float8: 'double precision',
  bool: 'boolean',
  bpchar: 'char',
  varbit: 'bit varying',
};

/** `varchar(200)`, `text[]`; only the name for a type of the dump. */
export function typeText(type: TypeName | undefined): string {
  const name = names(type?.names).at(-1) ?? '';
  const numbers = (type?.typmods ?? []).map(literal);
  const size = name === 'interval' || numbers.length === 0 ? '' : `(${numbers.join(',')})`;
  return `${SQL_NAMES[name] ?? name}${size}${type?.arrayBounds === undefined ? '' : '[]'}`;
}
