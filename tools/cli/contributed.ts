/** Commands that plugins contribute: the config is set up, without listening, and the command runs in it. */
import { commandHelp, findCommand, runCommand } from '../../kernel/commands.js';
import { suggest } from '../../kernel/config/suggest.js';
import { Kernel } from '../../kernel/kernel.js';
import { createLog } from '../../kernel/log.js';
import { UserError, type Command } from '../../kernel/sdk/command.js';
import type { ExitCode } from './exit-code.js';
import { findConfig, planOrFail } from './config.js';

export async function runContributed(words: readonly string[], own: readonly string[]): Promise<ExitCode> {
  const { file, rest } = takeConfig(words);
  const { plan, source } = await planOrFail(findConfig(file));
  // The output is the command's; the log only says what goes wrong.
  const log = await createLog({ level: 'warn', format: 'text' }, process.stderr);
  const kernel = new Kernel(plan, { log, stdout: process.stderr });
  await kernel.setup();
  try {
    const commands = kernel.commands();
    const asksHelp = rest.includes('--help') || rest.includes('-h');
    const found = findCommand(commands, rest);
    const group = commands.filter(({ name }) => name.startsWith(`${rest[0]} `));
    if (found === undefined) {
      if (!asksHelp || group.length === 0)
        throw new UserError(unknownCommand(rest, commands, own, source.file));
      console.log(group.map(commandHelp).join('\n\n'));
      return 0;
    }
    if (asksHelp) {
      console.log(commandHelp(found.command));
      return 0;
    }
    const abort = new AbortController();
    process.once('SIGINT', () => abort.abort());
    process.once('SIGTERM', () => abort.abort());
    await runCommand(found.command, found.rest, {
      stdin: process.stdin,
      stdout: process.stdout,
      stderr: process.stderr,
      signal: abort.signal,
    });
    return 0;
  } finally {
    await kernel.stop();
  }
}

/** `words` as typed; `own` are the commands of the server itself. */
function unknownCommand(
  words: readonly string[],
  contributed: readonly Command[],
  own: readonly string[],
  file: string,
): string {
  const typed = words.filter((word) => !word.startsWith('-')).join(' ');
  const names = contributed.map(({ name }) => name);
  const group = names.filter((name) => name.startsWith(`${typed} `));
  if (group.length > 0)
    return `"${typed}" is the first half of ${group.join(', ')}; see plugboard help ${typed}`;
  const near = suggest(words.slice(0, 2).join(' '), names) ?? suggest(words[0] ?? '', own);
  const hint = near === undefined ? '' : `; did you mean "${near}"?`;
  return (
    `there is no command "${typed}"${hint}\n` +
    `plugboard help lists the commands; those of the plugins in ${file}: ${groups(names) || 'none'}`
  );
}

/** `keys create|list|revoke, users create|list`. */
function groups(names: readonly string[]): string {
  const byFirst = new Map<string, string[]>();
  for (const name of names) {
    const [first = '', ...rest] = name.split(' ');
    byFirst.set(first, [...(byFirst.get(first) ?? []), rest.join(' ')]);
  }
  return Array.from(byFirst, ([first, rest]) => `${first} ${rest.join('|')}`.trimEnd()).join(', ');
}

/** `--config FILE` or `--config=FILE`, anywhere: which config the command runs in. */
function takeConfig(words: readonly string[]): { file: string | undefined; rest: string[] } {
  const rest = [...words];
  const at = rest.findIndex((word) => word === '--config' || word.startsWith('--config='));
  if (at === -1) return { file: undefined, rest };
  const [word = ''] = rest.splice(at, 1);
  if (word !== '--config') return { file: word.slice('--config='.length), rest };
  const [file] = rest.splice(at, 1);
  if (file === undefined) throw new UserError('--config needs a file');
  return { file, rest };
}
