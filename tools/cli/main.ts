/** The command line: `plugboard help`. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BootError } from '../../kernel/boot/boot-error.js';
import { RemoteError } from './command-socket/connect.js';
import { wordProblem } from './commands.js';
import { isUserError } from '../../kernel/sdk/plugin/command.js';
import { packageRoot } from './package-root.js';
import type { ExitCode } from './exit-code.js';
import { help } from './help.js';
import { WordError } from './words.js';

type Command = (words: readonly string[]) => Promise<ExitCode> | ExitCode;

/** Loaded on demand: a command that needs no server does not wait for its modules. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  init: async () => (await import('./init/init.js')).initCommand,
  run: async () => (await import('./run.js')).runServer,
  check: async () => (await import('./check.js')).checkCommand,
  print: async () => (await import('./print.js')).printCommand,
  schema: async () => (await import('./schema.js')).schemaCommand,
  plugins: async () => (await import('./plugins.js')).pluginsCommand,
  scopes: async () => (await import('./scopes.js')).scopesCommand,
  listen: async () => (await import('./listen.js')).listenCommand,
  'create-plugin': async () => (await import('./create-plugin.js')).createPluginCommand,
  version: async () => (await import('./version.js')).version,
};
const otherNames: Readonly<Record<string, string>> = {
  '--help': 'help',
  '-h': 'help',
  '--version': 'version',
  '-v': 'version',
};

/** Prints errors to stderr, without a stack if the user made the mistake. */
export async function main(words: readonly string[]): Promise<ExitCode> {
  try {
    return await runCommand(words);
  } catch (error) {
    return reportFailure(error, words);
  }
}

async function runCommand(words: readonly string[]): Promise<ExitCode> {
  const [typed, ...rest] = words;
  if (typed === undefined) return help([]);
  const name = Object.hasOwn(otherNames, typed) ? otherNames[typed]! : typed;
  const asksHelp = rest.includes('--help') || rest.includes('-h');
  const own = ['help', ...Object.keys(commands)];
  const [topic] = rest;
  if (name === 'help' && (topic === undefined || own.includes(topic))) return help(rest);
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (load !== undefined) return asksHelp ? help([name]) : (await load())(rest);
  const { runContributed } = await import('./contributed.js');
  return runContributed(name === 'help' ? [...rest, '--help'] : words, own);
}

function reportFailure(error: unknown, [name]: readonly string[]): ExitCode {
  const { message, stack, code } = error as Error & { readonly code?: unknown };
  if (error instanceof WordError || String(code).startsWith('ERR_PARSE_ARGS')) {
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

/**
 * Where a plugin failed: the stack frames of its own code, one per line, without those of server, packages and Node.
 */
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
