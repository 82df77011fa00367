/** `plugboard print`: the config that is in force. */
import { stringify } from 'yaml';
import type { InForce } from '../../kernel/boot/plan/in-force.js';
import type { ExitCode } from './exit-code.js';
import { CONFIG_OPTIONS, findConfig, planOrFail } from './config.js';
import { parseWords } from './words.js';

export async function printCommand(words: readonly string[]): Promise<ExitCode> {
  const { values, positionals } = parseWords(words, { options: CONFIG_OPTIONS, most: Infinity });
  const { plan } = await planOrFail(findConfig(positionals, values));
  process.stdout.write(asYaml(plan.inForce));
  return 0;
}

function asYaml({ server, log, entries }: InForce): string {
  const section = (name: string): object =>
    Object.fromEntries(entries.filter((one) => one.section === name).map(({ id, config }) => [id, config]));
  return stringify({ version: 1, server, log, providers: section('providers'), plugins: section('plugins') });
}
