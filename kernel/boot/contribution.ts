/** Checks the result of a plugin's `setup` against the contract: most plugins are not compiled against its types. */
import { unknownKey } from '../config/expected.js';
import type { Contribution, PluginDefinition } from '../sdk/plugin/plugin.js';
import type { TokenMap } from '../sdk/plugin/token.js';
import type { Observed } from '../sdk/plugin/hooks.js';

const KEYS: readonly string[] = [
  'check',
  'commands',
  'hooks',
  'pages',
  'people',
  'provides',
  'routes',
  'start',
] satisfies (keyof Contribution<TokenMap>)[];

/** Throws an error whose message says what is missing or misspelled. */
export function checkContribution(
  returned: unknown,
  { provides = {}, observes = [] }: PluginDefinition,
): asserts returned is Contribution<TokenMap> {
  if (typeof returned !== 'object' || returned === null)
    throw new Error(`setup must return an object, at least {}, and returned ${String(returned)}`);
  const misspelled = Object.keys(returned).find((key) => !KEYS.includes(key));
  if (misspelled !== undefined) throw new Error(`setup returned an ${unknownKey(misspelled, KEYS)}`);
  const {
    routes,
    start,
    check,
    commands,
    hooks,
    people,
    provides: provided = {},
  } = returned as Record<string, unknown>;
  for (const [key, part] of Object.entries({ routes, start, check })) {
    if (part !== undefined && typeof part !== 'function')
      throw new Error(`setup returned "${key}" as ${typeof part}; it must be a function`);
  }
  if (commands !== undefined && !Array.isArray(commands))
    throw new Error(`setup returned "commands" as ${typeof commands}; it must be an array`);
  for (const part of ['export', 'erase'])
    if (people !== undefined && typeof (people as Record<string, unknown> | null)?.[part] !== 'function')
      throw new Error(`setup returned "people" without the function "${part}"`);
  checkHooks(hooks, observes);
  for (const [name, token] of Object.entries(provides)) {
    if ((provided as Record<string, unknown>)[name] == null)
      throw new Error(`setup did not return "${name}" (${token.id}), which the plugin says it provides`);
  }
}

function checkHooks(hooks: unknown, observes: readonly Observed[]): void {
  if (hooks === undefined && observes.length > 0)
    throw new Error(
      `setup did not return "hooks", though the plugin says that it observes ${observes.join(', ')}`,
    );
  if (hooks !== undefined && (typeof hooks !== 'object' || hooks === null))
    throw new Error(`setup returned "hooks" as ${typeof hooks}; it must be an object`);
  for (const [kind, hook] of Object.entries(hooks ?? {})) {
    const isFunction = kind === 'carries' || kind === 'log';
    if (isFunction ? typeof hook === 'function' : typeof hook === 'object' && hook !== null) {
      if (kind === 'carries' || observes.includes(kind as Observed)) continue;
      throw new Error(`setup returned hooks of "${kind}", which the plugin does not name under "observes"`);
    }
    throw new Error(`setup returned "hooks.${kind}" as ${typeof hook}`);
  }
}
