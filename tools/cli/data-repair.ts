/** `plugboard data repair`: for an embedded store that no longer opens, so that no server can run the command. */
import { storeFolder } from './command-socket/address.js';
import { planRepair, repair } from '../../plugins/storage/embedded/upkeep/repair.js';
import { UserError } from '../../kernel/sdk/command.js';
import { CONFIG_OPTIONS, findConfig, planOrFail } from './config.js';
import type { ExitCode } from './exit-code.js';
import { parseWords } from './words.js';

export async function dataRepairCommand(words: readonly string[]): Promise<ExitCode> {
  const options = {
    ...CONFIG_OPTIONS,
    config: { type: 'string', multiple: true },
    yes: { type: 'boolean' },
  } as const;
  const { values } = parseWords(words, { options, most: 0 });
  const { plan } = await planOrFail(findConfig(values.config ?? [], values));
  const folder = storeFolder(plan);
  if (folder === undefined) throw new UserError('the store of this config is not an embedded one');
  const { lost, documents, made } = await planRepair(folder);
  if (made)
    console.log(
      `a repair was broken off: its data file with ${documents} documents is whole and not yet in its place`,
    );
  else if (lost.length === 0)
    console.log(`every page of "${folder}" can be read, and ${documents} documents are kept`);
  else console.log(`given up:\n${lost.map((each) => `  ${each}`).join('\n')}\nkept: ${documents} documents`);
  if (values.yes !== true) {
    const what = made ? 'to put it in its place' : 'to rebuild the store from what can be kept';
    console.log(`nothing was changed; run "plugboard data repair --yes" ${what}`);
    return 0;
  }
  const aside = await repair(folder, new Date());
  console.log(`rebuilt with ${documents} documents; the damaged files are in "${aside}"`);
  return 0;
}
