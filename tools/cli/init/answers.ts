/** What a first config depends on. */
import { UserError } from '../../../kernel/sdk/plugin/command.js';
import type { PluginDefinition } from '../../../kernel/sdk/plugin/plugin.js';
import { suggest } from '../../../kernel/sdk/suggest.js';
import type { FoundUpstream } from './upstreams.js';

export const STORES = ['embedded', 'mongodb'] as const;
export type Store = (typeof STORES)[number];

export interface Answers {
  /** Built-in plugins, with those that provide what they need, in alphabetical order. */
  readonly services: readonly string[];
  readonly store: Store;
  readonly upstreams: readonly FoundUpstream[];
}

type Definitions = Readonly<Record<string, PluginDefinition>>;

/** `all`, or names with commas; those that provide what a named one needs are added. */
export function servicesOf(text: string, known: Definitions): string[] {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (names.length === 0) throw new UserError('name a service at least, or all');
  if (names.includes('all')) return Object.keys(known).toSorted();
  for (const name of names)
    if (!Object.hasOwn(known, name)) throw unknown('service', name, Object.keys(known));
  return [...withNeeded(names, known)].toSorted();
}

export function storeOf(text: string): Store {
  const store = STORES.find((name) => name === text.trim());
  if (store === undefined) throw unknown('store', text.trim(), STORES);
  return store;
}

function withNeeded(names: readonly string[], known: Definitions): ReadonlySet<string> {
  const all = new Set(names);
  // A set is walked to its end, also over what is added on the way.
  for (const name of all)
    for (const { id } of Object.values(known[name]?.needs ?? {}))
      for (const provider of providersOf(id, known)) all.add(provider);
  return all;
}

function providersOf(token: string, known: Definitions): string[] {
  return Object.entries(known)
    .filter(([, { provides = {} }]) => Object.values(provides).some(({ id }) => id === token))
    .map(([name]) => name);
}

function unknown(kind: string, name: string, names: readonly string[]): UserError {
  const near = suggest(name, names);
  return new UserError(
    `there is no ${kind} "${name}"${near === undefined ? '' : `; did you mean "${near}"?`} (${names.join(', ')})`,
  );
}
