/** `plugboard print`: the config that is in force. */
import { printPlan } from './print-plan.js';
import type { ExitCode } from './exit-code.js';
import { CONFIG_OPTIONS, findConfig, planOrFail } from './config.js';
import { parseWords } from './words.js';

export async function printCommand(words: readonly string[]): Promise<ExitCode> {
  const { values, positionals } = parseWords(words, { options: CONFIG_OPTIONS, most: Infinity });
  const { plan, source, expanded } = await planOrFail(findConfig(positionals, values));
  process.stdout.write(printPlan(plan, source.value, expanded));
  return 0;
}
