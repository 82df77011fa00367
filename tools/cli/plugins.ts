/** `plugboard plugins`: what comes with the server, what a config enables, and who provides what to whom. */
import type { PluginDefinition } from '../../kernel/sdk/plugin/plugin.js';
import type { TokenMap } from '../../kernel/sdk/plugin/token.js';
import type { ExitCode } from './exit-code.js';
import { CONFIG_OPTIONS, findConfig, planOrFail } from './config.js';
import { knownPlugins } from './known.js';
import { parseWords } from './words.js';

export async function pluginsCommand(words: readonly string[]): Promise<ExitCode> {
  const { values, positionals } = parseWords(words, { options: CONFIG_OPTIONS, most: Infinity });
  const { plan, names } = await planOrFail(findConfig(positionals, values));
  console.log(`${names}, in the order of their set-up:\n`);
  for (const { id, definition } of plan.instances) console.log(describe(id, definition));
  const known = await knownPlugins();
  const enabled = new Set(plan.instances.map(({ definition }) => definition.name));
  const others = Object.values(known.builtins).filter(({ name }) => !enabled.has(name));
  if (others.length > 0) console.log('\nBuilt in and not enabled here:\n');
  for (const definition of others) console.log(describe(definition.name, definition));
  return 0;
}

function describe(
  id: string,
  { name, summary = '', needs, wants, provides, observes }: PluginDefinition,
): string {
  const list = (label: string, tokens: TokenMap = {}): string[] => {
    const ids = Object.values(tokens).map((token) => token.id);
    return ids.length === 0 ? [] : [`  ${''.padEnd(14)} ${label} ${ids.join(', ')}`];
  };
  const title = id === name ? summary : `${name}: ${summary}`;
  return [
    `  ${id.padEnd(14)} ${title}`,
    ...list('needs   ', needs),
    ...list('wants   ', wants),
    ...list('provides', provides),
    ...(observes === undefined ? [] : [`  ${''.padEnd(14)} observes ${observes.join(', ')}`]),
  ].join('\n');
}
