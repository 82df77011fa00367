/** `plugboard print`: the config that is in force. */
import { printPlan } from './print-plan.js';
import type { ExitCode } from './exit-code.js';
import { findConfig, planOrFail } from './config.js';
import { parseWords } from './words.js';

export async function printCommand(words: readonly string[]): Promise<ExitCode> {
  const { positionals } = parseWords(words, { options: {}, most: 1 });
  const { plan, source, expanded } = await planOrFail(findConfig(positionals[0]));
  process.stdout.write(printPlan(plan, source.value, expanded));
  return 0;
}
