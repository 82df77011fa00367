/** From the entries of a config to checked plugin definitions. */
import { isAbsolute, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Clients } from '../../sdk/http/clients.js';
import { API, type PluginDefinition } from '../../sdk/plugin/plugin.js';
import type { Token } from '../../sdk/plugin/token.js';
import type { Observed } from '../../sdk/plugin/hooks.js';
import { PREFIX } from '../../config/shape.js';
import { explainImport } from './import-failure.js';
import { unknownKey } from '../../config/expected.js';
import { suggest } from '../../sdk/suggest.js';

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

const KINDS: readonly unknown[] = ['request', 'guard', 'store', 'job', 'call', 'log'] satisfies Observed[];

/** What each part of a definition must be, as a sentence, and whether it is. */
const DEFINITION: {
  readonly [Key in keyof Required<PluginDefinition>]: readonly [string, (value: unknown) => boolean];
} = {
  api: [`must be ${API}`, (api) => api === API],
  clients: [
    'must be an object with a function "recognise"',
    (clients) => clients === undefined || typeof (clients as Clients | null)?.recognise === 'function',
  ],
  config: [
    'must be a TypeBox object schema that refuses unknown keys: Type.Object({...}, { additionalProperties: false })',
    isClosedSchema,
  ],
  configFaults: ['must be a function', isFunctionIfThere],
  dialect: ['must be the name of a dialect, or one that you write', isAnything],
  dialectOf: ['must be a function', isFunctionIfThere],
  exposedHeaders: ['must be an array of names', (names) => names === undefined || Array.isArray(names)],
  invalid: ['must be a function', isFunctionIfThere],
  name: [
    'must be lower case letters, digits and dashes',
    (name) => typeof name === 'string' && /^[a-z][a-z0-9-]*$/.test(name),
  ],
  needs: ['must be a record of tokens', isRecord],
  observes: [`must be an array of ${KINDS.join(', ')}`, isKinds],
  prefix: ['must be a path such as "/data", or "/"', isPrefix],
  provides: ['must be a record of tokens', isRecord],
  scopes: [
    "must be a record of sentences by name: { 'notes:read': 'read notes' }; a name has lower case letters, digits, dashes, underscores and colons",
    isScopes,
  ],
  setup: ['must be a function', (setup) => typeof setup === 'function'],
  standalone: ['must be a function', isFunctionIfThere],
  summary: ['must be a sentence', (summary) => summary === undefined || typeof summary === 'string'],
  wants: ['must be a record of tokens', isRecord],
};

function isFunctionIfThere(value: unknown): boolean {
  return value === undefined || typeof value === 'function';
}

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
  const { api } = value as Partial<PluginDefinition>;
  if (typeof api === 'number' && api !== API) {
    return [
      `it is made for api ${api} and this server has api ${API}; ${api > API ? 'update the server' : 'update the plugin'}`,
    ];
  }
  const keys = Object.keys(DEFINITION);
  return [
    ...Object.entries(DEFINITION)
      .filter(([key, [, isRight]]) => !isRight((value as Record<string, unknown>)[key]))
      .map(([key, [sentence]]) => `${key} ${sentence}`),
    ...(['needs', 'wants', 'provides'] as const).flatMap((key) =>
      tokenFaults(key, (value as Partial<PluginDefinition>)[key]),
    ),
    ...Object.keys(value)
      .filter((key) => !keys.includes(key))
      .map((key) => unknownKey(key, keys)),
  ];
}

function isKinds(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.every((kind) => KINDS.includes(kind)));
}

function isAnything(): boolean {
  return true;
}

function isClosedSchema(value: unknown): boolean {
  const schema = value as { type?: unknown; additionalProperties?: unknown } | undefined;
  return schema?.type === 'object' && schema.additionalProperties === false;
}

function isPrefix(value: unknown): boolean {
  return (
    value === undefined || (typeof value === 'string' && (value === '' || new RegExp(PREFIX).test(value)))
  );
}

/** Without spaces, as scopes are listed with spaces between them (RFC 6749 3.3). */
const SCOPE = /^[a-z][a-z0-9:_-]{0,63}$/;

function isScopes(value: unknown): boolean {
  if (value === undefined) return true;
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).every(([name, sentence]) => SCOPE.test(name) && typeof sentence === 'string');
}

function isRecord(value: unknown): boolean {
  return value === undefined || (typeof value === 'object' && value !== null && !Array.isArray(value));
}

/** A token that its module does not export is undefined after `import * as`. */
function tokenFaults(key: string, tokens: unknown): string[] {
  if (tokens === undefined || !isRecord(tokens)) return [];
  return Object.entries(tokens as object)
    .filter(([, one]) => !isToken(one))
    .map(([name, one]) => `${key}.${name} must be a token, not ${one === null ? 'null' : typeof one}`);
}

function isToken(value: unknown): value is Token<unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    'id' in value &&
    'key' in value &&
    typeof value.key === 'symbol'
  );
}
