/** `plugboard print`: the config that is in force. */
import { printPlan } from '../../kernel/config/print.js';
import type { ExitCode } from '../plugboard.js';
import { findConfig, planOrFail } from './config.js';

export async function printCommand([file]: readonly string[]): Promise<ExitCode> {
  const { plan, source, expanded } = await planOrFail(findConfig(file));
  process.stdout.write(printPlan(plan, source.value, expanded));
  return 0;
}
