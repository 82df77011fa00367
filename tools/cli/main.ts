/** The command line: `plugboard help`. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { RemoteError } from '../../kernel/command-socket/connect.js';
import { wordProblem } from '../../kernel/commands.js';
import { isUserError } from '../../kernel/sdk/command.js';
import { BootError } from '../../kernel/kernel.js';
import { checkCommand } from './check.js';
import { packageRoot } from './config.js';
import { createPluginCommand } from './create-plugin.js';
import { runContributed } from './contributed.js';
import { dataRepairCommand } from './data-repair.js';
import type { ExitCode } from './exit-code.js';
import { help } from './help.js';
import { pluginsCommand } from './plugins.js';
import { printCommand } from './print.js';
import { runServer } from './run.js';
import { scopesCommand } from './scopes.js';
import { schemaCommand } from './schema.js';
import { version } from './version.js';
import { WordError } from './words.js';

const commands: Readonly<Record<string, (words: readonly string[]) => Promise<ExitCode> | ExitCode>> = {
  run: runServer,
  check: checkCommand,
  print: printCommand,
  schema: schemaCommand,
  plugins: pluginsCommand,
  scopes: scopesCommand,
  'create-plugin': createPluginCommand,
  help,
  '--help': help,
  '-h': help,
  version,
  '--version': version,
  '-v': version,
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
  if (name === 'data' && rest[0] === 'repair')
    return asksHelp ? help(['data repair']) : dataRepairCommand(rest.slice(1));
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === help && rest[0] !== undefined && !Object.hasOwn(commands, rest[0]))
    return runContributed([...rest, '--help'], Object.keys(commands));
  if (command !== undefined) return asksHelp ? help([name]) : command(rest);
  return runContributed(words, Object.keys(commands));
}

function reportFailure(error: unknown, [name]: readonly string[]): ExitCode {
  const { message, stack, code = '' } = error as NodeJS.ErrnoException;
  if (error instanceof WordError || code.startsWith('ERR_PARSE_ARGS')) {
    console.error(`${wordProblem(error as Error)}; see plugboard help ${name}`);
    return 2;
  }
  if (isUserError(error)) {
    console.error(message);
    return 2;
  }
  if (error instanceof BootError) {
    const isMistake = isUserError(error.cause);
    console.error(`plugboard: ${message}${isMistake ? '' : framesOutside(error.cause)}`);
    return isMistake ? 2 : 1;
  }
  console.error(error instanceof RemoteError ? `${message}; the log of the server has the rest` : stack);
  return 1;
}

/** Where a plugin failed: the frames of its own code, each on a line. Those of the server, of packages and of Node say nothing of it. */
function framesOutside(cause: unknown): string {
  const { stack = '' } = cause instanceof Error ? cause : {};
  const isOwn = (line: string): boolean =>
    /^\s+at .*file:\/\//.test(line) && !line.includes('/node_modules/') && !line.includes(server);
  return stack
    .split('\n')
    .filter(isOwn)
    .map((line) => `\n${line}`)
    .join('');
}

/** Where every module of the server itself lies. */
const server = pathToFileURL(join(packageRoot, 'dist')).href;
