/** The order in which plugins are set up: every provider before those that use it. */
import { suggest } from '../../sdk/suggest.js';
import type { PluginDefinition } from '../../sdk/plugin/plugin.js';
import type { Token } from '../../sdk/plugin/token.js';

/** One enabled entry of the config: a plugin and its settings. */
export interface Instance {
  /** The key in the file; for a provider the slot's name. */
  readonly id: string;
  readonly section: 'providers' | 'plugins';
  readonly definition: PluginDefinition;
  readonly config: Record<string, unknown>;
  /** The path of its routes: empty for the root, else with a leading and without a trailing slash. */
  readonly prefix: string;
  readonly optional: boolean;
  /** It comes with the server, whose tests check its schemas: checking them again would take a fifth of a start. */
  readonly tested: boolean;
}

export interface PlanProblem {
  readonly instance: Instance;
  readonly message: string;
}

/**
 * Topological over needs and wants; ties keep the order given. `core` are the tokens that the kernel provides
 * itself.
 */
export function planOrder(
  instances: readonly Instance[],
  core: readonly Token<unknown>[],
): { order: Instance[]; problems: PlanProblem[] } {
  const problems: PlanProblem[] = claimedTwice(instances);
  const providers = new Map<string, Instance | null>(core.map(({ id }) => [id, null]));
  for (const instance of instances) {
    for (const { id } of Object.values(instance.definition.provides ?? {})) {
      const first = providers.get(id);
      if (first === undefined) providers.set(id, instance);
      else
        problems.push({
          instance,
          message: `provides ${id}, which ${first === null ? 'the kernel' : `"${first.id}"`} provides too; leave one of them out`,
        });
    }
  }

  const edges = new Map<Instance, Instance[]>();
  for (const instance of instances) {
    const { needs = {}, wants = {} } = instance.definition;
    for (const { id } of Object.values(needs)) {
      if (providers.has(id)) continue;
      const near = [...providers.keys()].find((one) => isNear(id, one));
      const hint = near === undefined ? '' : `; did you mean ${near}?`;
      problems.push({ instance, message: `needs ${id}, which no enabled plugin provides${hint}` });
    }
    const before = [...Object.values(needs), ...Object.values(wants)]
      .map(({ id }) => providers.get(id))
      .filter((provider) => provider !== undefined && provider !== null);
    edges.set(instance, [...new Set(before)]);
  }

  const { order, cycle } = sortTopologically(instances, (instance) => edges.get(instance) ?? []);
  const [first] = cycle;
  if (first !== undefined) {
    problems.push({
      instance: first,
      message: `plugins need each other in a circle: ${[...cycle, first].map(({ id }) => id).join(' -> ')}`,
    });
  }
  return { order, problems };
}

/** Part by part: the ids of one author often share a prefix. */
function isNear(id: string, other: string): boolean {
  const [parts, others] = [id, other].map((one) => one.split(/[.@]/)) as [string[], string[]];
  return (
    parts.length === others.length &&
    parts.every((part, at) => suggest(part, [others[at] ?? '']) !== undefined)
  );
}

/**
 * Two instances of one plugin under one prefix mount the same routes. A plugin that declares neither a prefix nor
 * scopes may have no routes at all; a start finds duplicate routes.
 */
function claimedTwice(instances: readonly Instance[]): PlanProblem[] {
  const hasRoutes = instances.filter(
    ({ definition: { prefix, scopes = {} } }) => prefix !== undefined || Object.keys(scopes).length > 0,
  );
  return hasRoutes.flatMap((instance, at) => {
    const { definition, prefix } = instance;
    const first = hasRoutes
      .slice(0, at)
      .find((other) => other.definition === definition && other.prefix === prefix);
    if (first === undefined) return [];
    const where = prefix === '' ? 'at the root' : `under ${prefix}`;
    return [{ instance, message: `its routes are ${where}, like those of "${first.id}"; set a "prefix"` }];
  });
}

/** Depth first in the given order, so that ties keep it; the first cycle found, in the direction of need. */
function sortTopologically<T>(
  items: readonly T[],
  before: (item: T) => readonly T[],
): { order: T[]; cycle: T[] } {
  const order: T[] = [];
  const done = new Set<T>();
  const trail: T[] = [];
  let cycle: T[] = [];

  const visit = (item: T): void => {
    if (done.has(item)) return;
    const at = trail.indexOf(item);
    if (at !== -1) {
      if (cycle.length === 0) cycle = trail.slice(at);
      return;
    }
    trail.push(item);
    before(item).forEach(visit);
    trail.pop();
    done.add(item);
    order.push(item);
  };
  items.forEach(visit);
  return { order, cycle };
}
