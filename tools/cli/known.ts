/** The definitions of every built-in plugin and provider. */
import type { KnownPlugins } from './config-schema.js';
import { loadPlugin, type Builtins } from '../../kernel/load.js';
import { slots } from '../../kernel/providers/index.js';
import type { PluginDefinition } from '../../kernel/sdk/plugin.js';
import { builtins } from '../../plugins/index.js';
import { packageRoot } from './package-root.js';

export async function knownPlugins(): Promise<KnownPlugins> {
  const providers: Record<string, Record<string, PluginDefinition>> = {};
  for (const slot of slots) providers[slot.name] = await loadAll(slot.builtins);
  return { providers, plugins: await loadAll(builtins) };
}

async function loadAll(from: Builtins): Promise<Record<string, PluginDefinition>> {
  const loaded: Record<string, PluginDefinition> = {};
  for (const name of Object.keys(from)) loaded[name] = await loadPlugin(name, from, packageRoot);
  return loaded;
}
