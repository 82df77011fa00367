/** The plugins that a config file may name: every built-in one, and those of others that it does name. */
import { expandConfig } from '../../kernel/config/expand.js';
import { loadPlugin, LoadError, type Builtins } from '../../kernel/boot/plan/load.js';
import { UserError } from '../../kernel/sdk/plugin/command.js';
import type { PluginDefinition } from '../../kernel/sdk/plugin/plugin.js';
import { builtins } from '../../plugins/index.js';
import { readFiles, type ConfigFiles } from './config.js';
import type { KnownPlugins } from './config-schema.js';
import { packageRoot } from './package-root.js';

export async function knownPlugins(): Promise<KnownPlugins> {
  const slots: Record<string, KnownPlugins['slots'][string]> = {};
  for (const [name, slot] of Object.entries(builtins.providers))
    slots[name] = { default: slot.default, fillers: await loadAll(slot.fillers) };
  return { slots, builtins: await loadAll(builtins.plugins), foreign: {} };
}

async function loadAll(from: Builtins): Promise<Record<string, PluginDefinition>> {
  const loaded: Record<string, PluginDefinition> = {};
  for (const name of Object.keys(from)) loaded[name] = await loadPlugin(name, from, packageRoot);
  return loaded;
}

/** Keyed by `use`. Throws a `UserError` for a plugin that does not load; other mistakes in the files are ignored. */
export async function foreignPlugins(config: ConfigFiles): Promise<KnownPlugins['foreign']> {
  const { source, env, baseDir } = readFiles(config);
  const { value } = expandConfig(source.value, { env, baseDir });
  const fillers = Object.values(builtins.providers).map((slot) => slot.fillers);
  const own = Object.assign({}, builtins.plugins, ...fillers) as Builtins;
  const foreign: Record<string, PluginDefinition> = {};
  for (const section of ['providers', 'plugins']) {
    for (const [id, entry] of Object.entries(mapping(mapping(value)[section]))) {
      // A slot without `use` has its default.
      const { use = section === 'plugins' ? id : undefined, enabled } = mapping(entry);
      if (typeof use !== 'string' || Object.hasOwn(own, use) || isOff(enabled)) continue;
      foreign[use] = await loadForeign(use, `${section}.${id}`, baseDir);
    }
  }
  return foreign;
}

async function loadForeign(use: string, place: string, baseDir: string): Promise<PluginDefinition> {
  try {
    return await loadPlugin(use, builtins.plugins, baseDir);
  } catch (error) {
    if (!(error instanceof LoadError)) throw error;
    throw new UserError(`${place}: ${error.message}`, { cause: error });
  }
}

/** What an expression makes is text. */
function isOff(enabled: unknown): boolean {
  return enabled === false || enabled === 'false';
}

function mapping(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
