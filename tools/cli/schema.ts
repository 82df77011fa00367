/** `plugboard schema`: the JSON Schema of the config file, for editors. */
import { writeFileSync } from 'node:fs';
import { configFileSchema } from './config-schema.js';
import { CONFIG_OPTIONS, findConfig } from './config.js';
import type { ExitCode } from './exit-code.js';
import { foreignPlugins, knownPlugins } from './known.js';
import { parseWords } from './words.js';

export async function schemaCommand(words: readonly string[]): Promise<ExitCode> {
  const options = { config: { type: 'string', multiple: true }, ...CONFIG_OPTIONS } as const;
  const { values, positionals } = parseWords(words, { options, most: 1 });
  const known = await knownPlugins();
  const foreign = values.config === undefined ? {} : await foreignPlugins(findConfig(values.config, values));
  const text = `${JSON.stringify(configFileSchema({ ...known, foreign }), null, 2)}\n`;
  const [file] = positionals;
  if (file === undefined) process.stdout.write(text);
  else writeFileSync(file, text);
  return 0;
}
