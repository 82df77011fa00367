/** `plugboard check`: everything that can be known before starting, without side effects. */
import type { ExitCode } from './exit-code.js';
import { CONFIG_OPTIONS, findConfig, prepareFiles, showProblems } from './config.js';
import { problemsAsJson } from './problems.js';
import { parseWords } from './words.js';

export async function checkCommand(words: readonly string[]): Promise<ExitCode> {
  const options = { json: { type: 'boolean' }, each: { type: 'boolean' }, ...CONFIG_OPTIONS } as const;
  const { values, positionals } = parseWords(words, { options, most: Infinity });
  const configs = values.each === true ? positionals.map((file) => [file]) : [positionals];
  let code: ExitCode = 0;
  for (const files of configs) {
    const prepared = await prepareFiles(findConfig(files, values));
    const { plan, problems, source, names } = prepared;
    if (values.json === true) {
      if (problems.length > 0) console.log(problemsAsJson(problems, source));
    } else if (problems.length > 0) console.error(showProblems(prepared));
    if (plan === undefined) code = 2;
    else if (values.json !== true) {
      const ids = plan.instances.filter(({ section }) => section === 'plugins').map(({ id }) => id);
      console.log(
        `${names}: ok, ${ids.length} ${ids.length === 1 ? 'plugin' : 'plugins'} (${ids.join(', ')})`,
      );
    }
  }
  return code;
}
