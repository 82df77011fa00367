/** `plugboard check`: everything that can be known before starting, without side effects. */
import { problemsAsJson } from '../../kernel/config/problem.js';
import type { ExitCode } from './exit-code.js';
import { findConfig, prepareFile, showProblems } from './config.js';
import { parseWords } from './words.js';

export async function checkCommand(words: readonly string[]): Promise<ExitCode> {
  const options = { json: { type: 'boolean' } } as const;
  const { values, positionals } = parseWords(words, { options, most: Infinity });
  let code: ExitCode = 0;
  for (const given of positionals.length > 0 ? positionals : [undefined]) {
    const { plan, problems, source } = await prepareFile(findConfig(given));
    if (values.json === true) {
      if (problems.length > 0) console.log(problemsAsJson(problems, source.file));
    } else if (problems.length > 0) console.error(showProblems(problems, source));
    if (plan === undefined) code = 2;
    else if (values.json !== true) {
      const ids = plan.instances.filter(({ section }) => section === 'plugins').map(({ id }) => id);
      console.log(
        `${source.file}: ok, ${ids.length} ${ids.length === 1 ? 'plugin' : 'plugins'} (${ids.join(', ')})`,
      );
    }
  }
  return code;
}
