/** Terms as a catalog file writes them: parameters of the filter language by name. */
import { CannotSay, conjunction, type Term } from './conditions.js';
import type { SqlName } from './nodes.js';

export type Written = { [name: string]: string | string[] | { [relation: string]: Written | true } };

/** `schema`: its relations need no prefix; `column` replaces every column, like the `value` of a domain. */
export function written(term: Term, schema: string, column?: string): Written | boolean {
  const rule: Written = {};
  for (const part of conjunction(term)) {
    if (part.kind === 'constant') {
      if (!part.is) return false;
    } else if (part.kind === 'exists') {
      const relation = shortName(part.relation, schema);
      const all = (rule['exists'] ??= {}) as { [name: string]: Written | true };
      if (relation in all) throw new CannotSay();
      const inner = written(
        { kind: 'logic', op: 'and', negated: false, terms: part.terms },
        part.relation.schema,
      );
      if (inner === false) return false;
      all[relation] = inner;
    } else add(rule, ...parameter(column === undefined ? part : renamed(part, column)));
  }
  return Object.keys(rule).length === 0 ? true : rule;
}

function renamed<T extends Term>(term: T, column: string): T {
  if (term.kind === 'filter') return { ...term, column };
  return term.kind === 'logic' ? { ...term, terms: term.terms.map((part) => renamed(part, column)) } : term;
}

function add(rule: Written, name: string, value: string): void {
  const before = rule[name];
  if (name === 'exists') throw new CannotSay();
  if (before === undefined) rule[name] = value;
  else rule[name] = Array.isArray(before) ? [...before, value] : [before as string, value];
}

function parameter(term: Exclude<Term, { kind: 'constant' | 'exists' }>): [name: string, value: string] {
  switch (term.kind) {
    case 'claim':
      return [`$jwt.${term.path}`, term.text];
    case 'row':
      return [term.column, `eq.$row.${term.of}`];
    case 'filter':
      return [term.column, `${term.negated ? 'not.' : ''}${term.text}`];
    case 'logic':
      return [`${term.negated ? 'not.' : ''}${term.op}`, `(${term.terms.map(item).join(',')})`];
  }
}

/** Inside a logic tree, where bare claims and `exists` are not possible. */
function item(term: Term): string {
  if (term.kind === 'logic')
    return `${term.negated ? 'not.' : ''}${term.op}(${term.terms.map(item).join(',')})`;
  if (term.kind !== 'filter') throw new CannotSay();
  const column = /^\w+$/.test(term.column) ? term.column : quoted(term.column);
  const [, operator = '', operand = ''] = /^((?:not\.)?\w+)\.(.*)$/s.exec(term.text) ?? [];
  const isWhole = operator === 'in' || /^[\w.$:@%+-]*$/.test(operand) || /^\{[^{}]*\}$/.test(operand);
  return `${column}.${term.negated ? 'not.' : ''}${operator}.${isWhole ? operand : quoted(operand)}`;
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

function shortName({ schema, name }: SqlName, own: string): string {
  return schema === own ? name : `${schema}.${name}`;
}
