/** Boolean expressions of SQL in the filter language, as far as it can say exactly the same. */
import type { A_Expr, Node, SelectStmt } from 'libpg-query';
import { claimPath } from './claims.js';
import { as, literal, momentOf, names, operatorOf, rangeName, typeText, type SqlName } from './nodes.js';

export type Term =
  | { readonly kind: 'filter'; readonly column: string; readonly text: string; readonly negated: boolean }
  | { readonly kind: 'claim'; readonly path: string; readonly text: string }
  /** A column of the outer row in `exists`. */
  | { readonly kind: 'row'; readonly column: string; readonly of: string }
  | { readonly kind: 'exists'; readonly relation: SqlName; readonly terms: readonly Term[] }
  | {
      readonly kind: 'logic';
      readonly op: 'and' | 'or';
      readonly negated: boolean;
      readonly terms: readonly Term[];
    }
  | { readonly kind: 'constant'; readonly is: boolean };

/** A relation whose columns an expression names, by its name there. */
export interface Scope {
  readonly name: string;
  /** Column to type, in the form of `typeText`. */
  readonly columns: ReadonlyMap<string, string>;
  /** The row around a subquery. */
  readonly outer?: Scope | undefined;
}

export interface Dictionary {
  readonly scopeOf: (relation: SqlName) => Scope | undefined;
  /** Whether claims and `exists` can be expressed. */
  readonly isPolicy: boolean;
}

type Operand =
  | { readonly kind: 'column' | 'row'; readonly name: string; readonly type: string }
  | { readonly kind: 'claim'; readonly path: string }
  | { readonly kind: 'text'; readonly text: string };

/** Throws `CannotSay`. */
export function termOf(node: Node | undefined, scope: Scope, dictionary: Dictionary): Term {
  return new Translation(dictionary).term(node, scope);
}

/** The filter language cannot express it. */
export class CannotSay extends Error {
  override readonly name = 'CannotSay';
}

const COMPARISONS: Readonly<Record<string, readonly [operator: string, flipped: string]>> = {
  '=': ['eq', 'eq'],
  '<>': ['neq', 'neq'],
  '<': ['lt', 'gt'],
  '<=': ['lte', 'gte'],
  '>': ['gt', 'lt'],
  '>=': ['gte', 'lte'],
  '@>': ['cs', 'cd'],
  '<@': ['cd', 'cs'],
  '&&': ['ov', 'ov'],
};

const PATTERNS: Readonly<Record<string, string>> = {
  '~~': 'like',
  '~~*': 'ilike',
  '~': 'match',
  '~*': 'imatch',
};

class Translation {
  readonly #dictionary: Dictionary;

  constructor(dictionary: Dictionary) {
    this.#dictionary = dictionary;
  }

  term(node: Node | undefined, scope: Scope): Term {
    const logic = as(node, 'BoolExpr');
    if (logic !== undefined) {
      const terms = (logic.args ?? []).map((part) => this.term(part, scope));
      if (logic.boolop === 'NOT_EXPR') return negated(terms[0]!);
      return { kind: 'logic', op: logic.boolop === 'OR_EXPR' ? 'or' : 'and', negated: false, terms };
    }
    const isNull = as(node, 'NullTest');
    if (isNull !== undefined)
      return this.#tested(isNull.arg, scope, isNull.nulltesttype === 'IS_NULL' ? 'is.null' : 'not.is.null');
    const isTrue = as(node, 'BooleanTest');
    if (isTrue !== undefined) {
      const [, not, value] = /^IS_(NOT_)?(TRUE|FALSE|UNKNOWN)$/.exec(isTrue.booltesttype ?? '') ?? [];
      return this.#tested(isTrue.arg, scope, `${not === undefined ? '' : 'not.'}is.${value?.toLowerCase()}`);
    }
    const expression = as(node, 'A_Expr');
    if (expression !== undefined) return this.#expression(expression, scope);
    const sublink = as(node, 'SubLink');
    if (sublink?.subLinkType === 'EXISTS_SUBLINK')
      return this.#exists(as(sublink.subselect, 'SelectStmt'), scope, undefined);
    if (sublink?.subLinkType === 'ANY_SUBLINK' && sublink.operName === undefined) {
      const select = as(sublink.subselect, 'SelectStmt');
      return this.#inClaim(select, sublink.testexpr, scope) ?? this.#exists(select, scope, sublink.testexpr);
    }
    const constant = literal(node);
    if (constant === 'true' || constant === 'false') return { kind: 'constant', is: constant === 'true' };
    return this.#tested(node, scope, 'eq.true');
  }

  #tested(node: Node | undefined, scope: Scope, text: string): Term {
    return filter(this.#operand(node, scope), text);
  }

  #expression(expression: A_Expr, scope: Scope): Term {
    const operator = operatorOf(expression);
    switch (expression.kind) {
      case 'AEXPR_OP':
      case 'AEXPR_LIKE':
      case 'AEXPR_ILIKE':
        return this.#compared(expression, operator, scope);
      case 'AEXPR_DISTINCT':
      case 'AEXPR_NOT_DISTINCT': {
        const term = this.#binary(expression, ['isdistinct', 'isdistinct'], scope);
        return expression.kind === 'AEXPR_DISTINCT' ? term : negated(term);
      }
      case 'AEXPR_OP_ANY':
      case 'AEXPR_OP_ALL': {
        if (operator !== (expression.kind === 'AEXPR_OP_ANY' ? '=' : '<>')) throw new CannotSay();
        const term = this.#inList(expression, scope);
        return operator === '=' ? term : negated(term);
      }
      default:
        throw new CannotSay();
    }
  }

  #compared(expression: A_Expr, operator: string, scope: Scope): Term {
    const comparison = COMPARISONS[operator];
    if (comparison !== undefined) return this.#binary(expression, comparison, scope);
    const isNegated = operator.startsWith('!');
    const pattern = PATTERNS[isNegated ? operator.slice(1) : operator];
    const text = literal(expression.rexpr);
    // In a filter, a star is another spelling of the percent sign.
    if (pattern === undefined || typeof text !== 'string' || (pattern.endsWith('like') && text.includes('*')))
      throw new CannotSay();
    const term = filter(this.#operand(expression.lexpr, scope), `${pattern}.${plain(text)}`);
    return isNegated ? negated(term) : term;
  }

  #binary({ lexpr, rexpr }: A_Expr, [operator, flipped]: readonly [string, string], scope: Scope): Term {
    const [left, right] = [this.#operand(lexpr, scope), this.#operand(rexpr, scope)];
    if (left.kind === 'text') return against(right, flipped, left);
    if (right.kind === 'text') return against(left, operator, right);
    if (left.kind === 'column') return against(left, operator, right);
    return against(right, flipped, left);
  }

  /** `= ANY (ARRAY['a', 'b'])`, which is how PostgreSQL prints `in`, and `'a' = ANY (column)`. */
  #inList({ lexpr, rexpr }: A_Expr, scope: Scope): Term {
    const items = arrayItems(rexpr);
    if (items !== undefined)
      return filter(this.#operand(lexpr, scope), `in.(${items.map(quotedItem).join(',')})`);
    const [item, column] = [literal(lexpr), this.#operand(rexpr, scope)];
    if (typeof item !== 'string' || column.kind !== 'column' || !column.type.endsWith('[]'))
      throw new CannotSay();
    return filter(column, `cs.{${quoted(item)}}`);
  }

  /** `team_id in (select auth.jwt() -> 'teams')`: a claim that is a list. */
  #inClaim(select: SelectStmt | undefined, tested: Node | undefined, scope: Scope): Term | undefined {
    const target = as(select?.targetList?.[0], 'ResTarget')?.val;
    const path =
      this.#dictionary.isPolicy && select?.fromClause === undefined ? claimPath(target) : undefined;
    const operand = path === undefined ? undefined : this.#operand(tested, scope);
    return operand?.kind === 'column' ? filter(operand, `in.($jwt.${path})`) : undefined;
  }

  #exists(select: SelectStmt | undefined, scope: Scope, tested: Node | undefined): Term {
    const { fromClause = [], whereClause, targetList = [], valuesLists, ...rest } = select ?? {};
    const from = as(fromClause[0], 'RangeVar');
    const refused = [
      'groupClause',
      'havingClause',
      'limitCount',
      'limitOffset',
      'withClause',
      'distinctClause',
    ];
    if (from === undefined || fromClause.length > 1 || valuesLists !== undefined) throw new CannotSay();
    if (!this.#dictionary.isPolicy || scope.outer !== undefined || refused.some((key) => key in rest))
      throw new CannotSay();
    const relation = rangeName(from);
    const found = this.#dictionary.scopeOf(relation);
    if (found === undefined) throw new CannotSay();
    const inner: Scope = { ...found, name: from.alias?.aliasname ?? found.name, outer: scope };
    const terms = whereClause === undefined ? [] : conjunction(this.term(whereClause, inner));
    if (tested !== undefined) {
      const [near, far] = [
        this.#operand(tested, scope),
        this.#operand(as(targetList[0], 'ResTarget')?.val, inner),
      ];
      if (near.kind === 'text' || far.kind !== 'column') throw new CannotSay();
      terms.push(against(far, 'eq', near.kind === 'column' ? { ...near, kind: 'row' } : near));
    }
    return { kind: 'exists', relation, terms };
  }

  #operand(node: Node | undefined, scope: Scope): Operand {
    const text = literal(node);
    if (typeof text === 'string') return { kind: 'text', text };
    const moment = momentOf(node);
    if (moment !== undefined) return { kind: 'text', text: moment };
    const items = arrayItems(node);
    if (items !== undefined) return { kind: 'text', text: `{${items.map(quoted).join(',')}}` };
    const path = this.#dictionary.isPolicy ? claimPath(node) : undefined;
    if (path !== undefined) return { kind: 'claim', path };
    const cast = as(node, 'TypeCast');
    if (cast !== undefined) return castOperand(this.#operand(cast.arg, scope), typeText(cast.typeName));
    const fields = names(as(node, 'ColumnRef')?.fields);
    const [column, of] = [fields.at(-1), fields.at(-2)];
    if (column === undefined) throw new CannotSay();
    for (const [kind, place] of [['column', scope] as const, ['row', scope.outer] as const]) {
      const type = of === undefined || of === place?.name ? place?.columns.get(column) : undefined;
      if (type !== undefined) return { kind, name: column, type };
    }
    throw new CannotSay();
  }
}

const TEXTS = /^(?:text|varchar|char|citext|name)(?:\(\d+\))?$/;

/** A cast that changes no comparison: text to text, or to the operand's own type. */
function castOperand(operand: Operand, type: string): Operand {
  if (operand.kind === 'claim') return operand;
  if (operand.kind === 'text' || operand.type === type) return operand;
  if (TEXTS.test(operand.type) && TEXTS.test(type)) return operand;
  throw new CannotSay();
}

function against(left: Operand, operator: string, right: Operand): Term {
  if (right.kind === 'text') return filter(left, `${operator}.${plain(right.text)}`);
  if (left.kind !== 'column') throw new CannotSay();
  if (right.kind === 'claim') return filter(left, `${operator}.$jwt.${right.path}`);
  if (right.kind === 'row' && operator === 'eq') return { kind: 'row', column: left.name, of: right.name };
  throw new CannotSay();
}

function filter(operand: Operand, text: string): Term {
  if (operand.kind === 'claim') return { kind: 'claim', path: operand.path, text };
  if (operand.kind !== 'column') throw new CannotSay();
  const isNegated = text.startsWith('not.');
  return { kind: 'filter', column: operand.name, text: isNegated ? text.slice(4) : text, negated: isNegated };
}

function negated(term: Term): Term {
  if (term.kind === 'constant') return { kind: 'constant', is: !term.is };
  if (term.kind === 'filter' || term.kind === 'logic') return { ...term, negated: !term.negated };
  throw new CannotSay();
}

/** The terms that must all hold. */
export function conjunction(term: Term): Term[] {
  return term.kind === 'logic' && term.op === 'and' && !term.negated
    ? term.terms.flatMap(conjunction)
    : [term];
}

function arrayItems(node: Node | undefined): string[] | undefined {
  const cast = as(node, 'TypeCast');
  if (cast !== undefined) return arrayItems(cast.arg);
  const array = as(node, 'A_ArrayExpr');
  if (array === undefined) return undefined;
  const items = (array.elements ?? []).map(literal);
  return items.every((item) => typeof item === 'string') ? items.map(plain) : undefined;
}

/** A text that looks like a claim or a column cannot be expressed. */
function plain(text: string): string {
  if (/\$(?:jwt|row)\b/.test(text)) throw new CannotSay();
  return text;
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

function quotedItem(text: string): string {
  return /^[\w .:+-]+$/.test(text) && text.trim() === text ? text : quoted(text);
}
