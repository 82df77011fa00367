/** From the entries of a config to checked plugin definitions. */
import { isAbsolute, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { API, type PluginDefinition } from './sdk/plugin.js';
import type { TokenMap } from './sdk/token.js';
import { PREFIX } from './config/shape.js';
import { unknownKey } from './config/validate.js';
import { explainImport } from './import-failure.js';
import { suggest } from './config/suggest.js';

/** Name to lazy import of a plugin that comes with the server. */
export type Builtins = Readonly<Record<string, () => Promise<{ readonly default: unknown }>>>;

export class LoadError extends Error {}

/**
 * Loads what `use` names: a path relative to the config file's folder (`./x.js`), a built-in, or an npm package
 * resolved from that folder. Throws a `LoadError` that says what to do.
 */
export async function loadPlugin(
  use: string,
  builtins: Builtins,
  baseDir: string,
): Promise<PluginDefinition> {
  return checkDefinition(use, await importModule(use, builtins, baseDir));
}

async function importModule(use: string, builtins: Builtins, baseDir: string): Promise<unknown> {
  if (use.startsWith('./') || use.startsWith('../') || isAbsolute(use)) {
    return importUrl(use, pathToFileURL(resolve(baseDir, use)).href, baseDir);
  }
  const builtin = Object.hasOwn(builtins, use) ? builtins[use] : undefined;
  if (builtin !== undefined) return (await builtin()).default;
  const { resolve: resolvePackage } = await import('import-meta-resolve');
  let url: string;
  try {
    url = resolvePackage(use, pathToFileURL(join(baseDir, 'config.yaml')).href);
  } catch (error) {
    throw new LoadError(notFound(use, builtins, baseDir), { cause: error });
  }
  return importUrl(use, url, baseDir);
}

async function importUrl(use: string, url: string, baseDir: string): Promise<unknown> {
  try {
    return ((await import(url)) as { default?: unknown }).default;
  } catch (error) {
    throw new LoadError(explainImport({ use, url, baseDir, error }), { cause: error });
  }
}

function notFound(use: string, builtins: Builtins, baseDir: string): string {
  const names = Object.keys(builtins).toSorted();
  const near = suggest(use, names);
  const hint = near === undefined ? '' : `; did you mean "${near}"?`;
  return `"${use}" is neither built in${names.length === 0 ? '' : ` (${names.join(', ')})`} nor an npm package installed in ${baseDir}${hint}; a path starts with "./"`;
}

const DEFINITION_KEYS: readonly string[] = [
  'api',
  'config',
  'dialect',
  'exposedHeaders',
  'invalid',
  'name',
  'needs',
  'prefix',
  'provides',
  'scopes',
  'setup',
  'summary',
  'wants',
] satisfies (keyof PluginDefinition)[];

function checkDefinition(use: string, value: unknown): PluginDefinition {
  if (value === undefined)
    throw new LoadError(`"${use}" has no default export; export default definePlugin({...})`);
  const faults = definitionFaults(value);
  if (faults.length > 0) throw new LoadError(`"${use}" is not a plugin: ${faults.join('; ')}`);
  return value as PluginDefinition;
}

function definitionFaults(value: unknown): string[] {
  if (typeof value !== 'object' || value === null)
    return [`its default export is ${typeof value}, not what definePlugin makes`];
  const { name, api, config, setup, needs, wants, provides, prefix, scopes } =
    value as Partial<PluginDefinition>;
  if (typeof api === 'number' && api !== API) {
    return [
      `it is made for api ${api} and this server has api ${API}; ${api > API ? 'update the server' : 'update the plugin'}`,
    ];
  }
  return [
    typeof name === 'string' && /^[a-z][a-z0-9-]*$/.test(name)
      ? ''
      : 'name must be lower case letters, digits and dashes',
    api === API ? '' : `api must be ${API}`,
    configFault(config),
    typeof setup === 'function' ? '' : 'setup must be a function',
    isTokenMap(needs) ? '' : 'needs must be a record of tokens',
    isTokenMap(wants) ? '' : 'wants must be a record of tokens',
    isTokenMap(provides) ? '' : 'provides must be a record of tokens',
    isPrefix(prefix) ? '' : 'prefix must be a path such as "/data", or "/"',
    isScopes(scopes)
      ? ''
      : "scopes must be a record of sentences by name: { 'notes:read': 'read notes' }; a name has lower case letters, digits, dashes and colons",
    ...Object.keys(value)
      .filter((key) => !DEFINITION_KEYS.includes(key))
      .map((key) => unknownKey(key, DEFINITION_KEYS)),
  ].filter((fault) => fault !== '');
}

function configFault(config: unknown): string {
  const schema = config as { type?: unknown; additionalProperties?: unknown } | undefined;
  if (schema?.type !== 'object')
    return 'config must be a TypeBox object schema; for a plugin without settings, Type.Object({}, { additionalProperties: false })';
  return schema.additionalProperties === false
    ? ''
    : 'config must refuse unknown keys: Type.Object({...}, { additionalProperties: false })';
}

function isPrefix(value: unknown): boolean {
  return (
    value === undefined || (typeof value === 'string' && (value === '' || new RegExp(PREFIX).test(value)))
  );
}

function isScopes(value: unknown): boolean {
  if (value === undefined) return true;
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).every(
    ([name, sentence]) => /^[a-z][a-z0-9-]*(:[a-z0-9-]+)*$/.test(name) && typeof sentence === 'string',
  );
}

function isTokenMap(value: unknown): value is TokenMap | undefined {
  if (value === undefined) return true;
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).every(
    (one: unknown) =>
      typeof one === 'object' && one !== null && 'id' in one && 'key' in one && typeof one.key === 'symbol',
  );
}
