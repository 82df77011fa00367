/** The command line: `plugboard help`. */
import { UserError } from '../../kernel/sdk/command.js';
import { BootError } from '../../kernel/kernel.js';
import { checkCommand } from './check.js';
import { createPluginCommand } from './create-plugin.js';
import { runContributed } from './contributed.js';
import type { ExitCode } from './exit-code.js';
import { help, knowsTopic } from './help.js';
import { pluginsCommand } from './plugins.js';
import { printCommand } from './print.js';
import { runServer } from './run.js';
import { schemaCommand } from './schema.js';
import { version } from './version.js';

const commands: Readonly<Record<string, (words: readonly string[]) => Promise<ExitCode> | ExitCode>> = {
  run: runServer,
  check: checkCommand,
  print: printCommand,
  schema: schemaCommand,
  plugins: pluginsCommand,
  'create-plugin': createPluginCommand,
  help,
  '--help': help,
  '-h': help,
  version,
  '--version': version,
};

/** Says on stderr what goes wrong, in the words of a user where it is one's mistake. */
export async function main(words: readonly string[]): Promise<ExitCode> {
  try {
    return await runCommand(words);
  } catch (error) {
    return reportFailure(error, words);
  }
}

async function runCommand(words: readonly string[]): Promise<ExitCode> {
  const [name, ...rest] = words;
  if (name === undefined) return help([]);
  const asksHelp = rest.includes('--help') || rest.includes('-h');
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === help && rest[0] !== undefined && !knowsTopic(rest[0]))
    return runContributed([...rest, '--help'], Object.keys(commands));
  if (command !== undefined) return asksHelp ? help([name]) : command(rest);
  return runContributed(words, Object.keys(commands));
}

function reportFailure(error: unknown, [name]: readonly string[]): ExitCode {
  const { message, stack, code = '' } = error as NodeJS.ErrnoException;
  if (code.startsWith('ERR_PARSE_ARGS')) {
    const [what = ''] = message.split('. ');
    console.error(`${what.charAt(0).toLowerCase()}${what.slice(1)}; see plugboard help ${name}`);
    return 2;
  }
  if (isUserError(error)) {
    console.error(message);
    return 2;
  }
  if (error instanceof BootError) {
    console.error(`plugboard: ${message}`);
    return isUserError(error.cause) ? 2 : 1;
  }
  console.error(stack);
  return 1;
}

function isUserError(error: unknown): boolean {
  return error instanceof UserError || (error as { userError?: unknown } | undefined)?.userError === true;
}
