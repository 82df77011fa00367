/** `plugboard scopes`: what an API key may be allowed, with the plugins of a config. */
import { collectScopes } from '../../kernel/boot/plan/scopes.js';
import { CONFIG_OPTIONS, findConfig, planOrFail } from './config.js';
import type { ExitCode } from './exit-code.js';
import { parseWords } from './words.js';

export async function scopesCommand(words: readonly string[]): Promise<ExitCode> {
  const options = { json: { type: 'boolean' }, ...CONFIG_OPTIONS } as const;
  const { positionals, values } = parseWords(words, { options, most: Infinity });
  const { plan } = await planOrFail(findConfig(positionals, values));
  const scopes = collectScopes(plan.instances);
  if (values.json === true) {
    console.log(JSON.stringify({ scopes }));
    return 0;
  }
  const width = Math.max(...scopes.map(({ name }) => name.length), 1);
  for (const { name, summary, plugin } of scopes)
    console.log(`${name.padEnd(width)}  ${summary} (${plugin})`);
  console.log(`${'*'.padEnd(width)}  everything, also what plugins declare that are enabled later`);
  console.log('\nplugboard keys create NAME --scope SCOPE makes a key; without a scope it opens nothing');
  return 0;
}
