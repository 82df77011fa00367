/** The definitions of every built-in plugin and provider. */
import type { KnownPlugins } from './config-schema.js';
import { loadPlugin, type Builtins } from '../../kernel/load.js';
import type { PluginDefinition } from '../../kernel/sdk/plugin.js';
import { builtins } from '../../plugins/index.js';
import { packageRoot } from './package-root.js';

export async function knownPlugins(): Promise<KnownPlugins> {
  const providers: Record<string, Record<string, PluginDefinition>> = {};
  for (const [slot, { fillers }] of Object.entries(builtins.providers))
    providers[slot] = await loadAll(fillers);
  return { providers, plugins: await loadAll(builtins.plugins) };
}

async function loadAll(from: Builtins): Promise<Record<string, PluginDefinition>> {
  const loaded: Record<string, PluginDefinition> = {};
  for (const name of Object.keys(from)) loaded[name] = await loadPlugin(name, from, packageRoot);
  return loaded;
}
