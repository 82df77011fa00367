/** A built-in plugin by its name in a config, for tests that boot one with another. */
import type { AnyPlugin } from 'plugboard/testing';
import { builtins } from '../../plugins/index.js';

export async function builtIn(name: string): Promise<AnyPlugin> {
  const load = builtins.plugins[name];
  if (load === undefined) throw new Error(`${name} is not built in`);
  return (await load()).default as AnyPlugin;
}
