/** `plugboard schema`: the JSON Schema of the config file, for editors. */
import { writeFileSync } from 'node:fs';
import { configFileSchema } from './config-schema.js';
import type { ExitCode } from './exit-code.js';
import { knownPlugins } from './known.js';
import { parseWords } from './words.js';

export async function schemaCommand(words: readonly string[]): Promise<ExitCode> {
  const [file] = parseWords(words, { options: {}, most: 1 }).positionals;
  const text = `${JSON.stringify(configFileSchema(await knownPlugins()), null, 2)}\n`;
  if (file === undefined) process.stdout.write(text);
  else writeFileSync(file, text);
  return 0;
}
