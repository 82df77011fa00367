/** Collects the scopes that the plugins of a plan declare. */
import type { Instance, PlanProblem } from './order.js';
import type { DeclaredScope, Scopes } from '../../sdk/plugin/scopes.js';

/** Sorted by name. Several instances of one plugin declare the same scope once. */
export function collectScopes(instances: readonly Instance[]): Scopes {
  const scopes = new Map<string, DeclaredScope>();
  for (const { definition } of instances) {
    for (const [name, summary] of Object.entries(definition.scopes ?? {}))
      if (!scopes.has(name)) scopes.set(name, { name, summary, plugin: definition.name });
  }
  return [...scopes.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** A scope has one owner: two plugins that declare the same one would open each other's routes. */
export function scopeProblems(instances: readonly Instance[]): PlanProblem[] {
  const problems: PlanProblem[] = [];
  const owners = new Map<string, Instance>();
  for (const instance of instances) {
    for (const name of Object.keys(instance.definition.scopes ?? {})) {
      const owner = owners.get(name) ?? instance;
      owners.set(name, owner);
      if (owner.definition.name !== instance.definition.name)
        problems.push({
          instance,
          message: `declares the scope "${name}", which "${owner.id}" declares too`,
        });
    }
  }
  return problems;
}
