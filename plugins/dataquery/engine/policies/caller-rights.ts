/** The rights of one caller in one catalog: its grants, and its policies as conditions. */
import type { ServiceError } from 'plugboard/sdk';
import { claimAt } from '../catalog/claim-path.js';
import type {
  Catalog,
  ClaimPath,
  Command,
  Granted,
  Policy,
  Relation,
  RelationName,
  Rule,
} from '../catalog/model.js';
import { errors } from '../base/errors.js';
import type { Condition } from '../plan/level.js';
import type { Rights, RowRule, Step } from '../plan/rights.js';
import { wholeSource } from '../plan/source.js';
import { PUBLIC, type Caller } from './caller.js';
import { ruleCondition } from './rule-condition.js';

export class CallerRights implements Rights {
  readonly #catalog: Catalog;
  readonly #caller: Caller;
  readonly #roles: ReadonlySet<string>;
  readonly #unread = new Map<Relation, ReadonlySet<string> | undefined>();

  constructor(catalog: Catalog, caller: Caller) {
    this.#catalog = catalog;
    this.#caller = caller;
    this.#roles = new Set([...caller.roles, PUBLIC]);
  }

  granted({ grants }: Relation, command: Exclude<Command, 'delete'>): Granted {
    if (grants === undefined) return '*';
    const columns = new Set<string>();
    for (const [role, grant] of grants) {
      if (!this.#roles.has(role)) continue;
      const own = grant[command];
      if (own === '*') return '*';
      for (const column of own) columns.add(column);
    }
    return [...columns];
  }

  mayDelete({ grants }: Relation): boolean {
    return grants === undefined || [...grants].some(([role, grant]) => grant.delete && this.#roles.has(role));
  }

  unread(relation: Relation, reads: boolean): ReadonlySet<string> | undefined {
    if (!this.#unread.has(relation)) this.#unread.set(relation, this.#unreadOf(relation));
    const unread = this.#unread.get(relation);
    if (reads && unread?.size === relation.columns.size) throw this.denied({ relation: relation.name });
    return unread;
  }

  #unreadOf(relation: Relation): ReadonlySet<string> | undefined {
    const granted = this.granted(relation, 'select');
    if (granted === '*') return undefined;
    const unread = [...relation.columns.keys()].filter((name) => !granted.includes(name));
    return unread.length === 0 ? undefined : new Set(unread);
  }

  conditions(relation: Relation, commands: readonly Command[]): readonly Condition[] {
    return commands.flatMap((command) =>
      this.#rules(relation, command, 'using').map(({ condition }) => condition),
    );
  }

  rules(relation: Relation, step: Step, reads: boolean): readonly RowRule[] {
    const seen = reads ? this.#rules(relation, 'select', 'using') : [];
    switch (step) {
      case 'insert':
        return [...this.#rules(relation, 'insert', 'check'), ...seen];
      case 'update':
        return [...this.#rules(relation, 'update', 'check'), ...seen];
      case 'conflict':
        return [...this.#rules(relation, 'update', 'using'), ...seen];
      case 'met':
        return seen;
    }
  }

  /** No rules without policies; if none applies to the caller, a rule that no row passes. */
  #rules(relation: Relation, command: Command, side: 'using' | 'check'): RowRule[] {
    if (relation.policies.length === 0) return [];
    const own = relation.policies.filter((policy) => this.#concerns(policy, command));
    const source = wholeSource(this.#catalog, relation);
    const seen = { catalog: this.#catalog, rights: this };
    const claims = (path: ClaimPath): unknown => claimAt(this.#caller.claims, path);
    const ruleOf = (policy: Policy): Rule =>
      (side === 'check' ? (policy.check ?? policy.using) : policy.using) ?? [{ kind: 'never' }];
    const conditionOf = (rule: Rule): Condition => ruleCondition(seen, claims, relation, source, rule);
    const permissive = withoutAbsorbed(own.filter(({ restrictive }) => !restrictive).map(ruleOf)).map(
      conditionOf,
    );
    // Nothing passes, so restrictions are not checked; PostgreSQL's order of errors follows from it.
    if (permissive.length === 0) return [{ policy: undefined, condition: { kind: 'constant', is: false } }];
    const restrictive = own
      .filter((policy) => policy.restrictive)
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map((policy): RowRule => ({ policy: policy.name, condition: conditionOf(ruleOf(policy)) }));
    return [{ policy: undefined, condition: anyOf(permissive) }, ...restrictive];
  }

  #concerns({ commands, to }: Policy, command: Command): boolean {
    const isNamed = to === undefined || to.some((role) => this.#roles.has(role));
    return isNamed && (commands.includes('all') || commands.includes(command));
  }

  denied({ relation }: Pick<RelationName, 'relation'>, column?: string): ServiceError {
    return this.#error({
      message: `permission denied for table ${relation}`,
      details: column === undefined ? null : `The column "${column}" is not granted.`,
    });
  }

  refused({ name }: Relation, step: Step, { policy }: RowRule): ServiceError {
    const which = policy === undefined ? '' : ` "${policy}"`;
    const met = step === 'conflict' || step === 'met' ? ' (USING expression)' : '';
    return this.#error({
      message: `new row violates row-level security policy${which}${met} for table "${name}"`,
    });
  }

  #error(details: { message: string; details?: string | null }): ServiceError {
    return this.#caller.anonymous
      ? errors['42501']({ ...details, status: 401, headers: { 'www-authenticate': 'Bearer' } })
      : errors['42501'](details);
  }
}

/**
 * As PostgreSQL plans them: if one alternative's terms are in all of them, it is the result (`(a and b) or a` is `a`),
 * and rights that only the others need are not checked.
 */
function withoutAbsorbed(rules: readonly Rule[]): readonly Rule[] {
  const termsOf = rules.map((rule) => new Set(rule.map((term) => JSON.stringify(term))));
  const inAll = (term: string): boolean => termsOf.every((terms) => terms.has(term));
  const least = termsOf.findIndex((terms) => [...terms].every(inAll));
  return least === -1 ? rules : [rules[least]!];
}

/** At least one holds. */
function anyOf(conditions: readonly Condition[]): Condition {
  return conditions.length === 1 ? conditions[0]! : { kind: 'or', conditions };
}
