/** `plugboard print`: the config that is in force. */
import { printPlan } from './print-plan.js';
import type { ExitCode } from './exit-code.js';
import { findConfig, planOrFail } from './config.js';

export async function printCommand([file]: readonly string[]): Promise<ExitCode> {
  const { plan, source, expanded } = await planOrFail(findConfig(file));
  process.stdout.write(printPlan(plan, source.value, expanded));
  return 0;
}
