#!/usr/bin/env node
/** The command line: `plugboard help`. The one place where the kernel and the built-in plugins meet. */
import { realpathSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { UserError } from '../kernel/sdk/command.js';
import { BootError } from '../kernel/kernel.js';
import { checkCommand } from './cli/check.js';
import { createPluginCommand } from './cli/create-plugin.js';
import { runContributed } from './cli/contributed.js';
import type { ExitCode } from './cli/exit-code.js';
import { help, knowsTopic } from './cli/help.js';
import { pluginsCommand } from './cli/plugins.js';
import { printCommand } from './cli/print.js';
import { runServer } from './cli/run.js';
import { schemaCommand } from './cli/schema.js';
import { version } from './cli/version.js';

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

export async function main(words: readonly string[]): Promise<ExitCode> {
  const [name, ...rest] = words;
  if (name === undefined) return help([]);
  const asksHelp = rest.includes('--help') || rest.includes('-h');
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === help && rest[0] !== undefined && !knowsTopic(rest[0]))
    return runContributed([...rest, '--help'], Object.keys(commands));
  if (command !== undefined) return asksHelp ? help([name]) : command(rest);
  return runContributed(words, Object.keys(commands));
}

const script = process.argv[1];
if (script !== undefined && import.meta.url === pathToFileURL(realpathSync(script)).href) {
  try {
    process.exitCode = await main(process.argv.slice(2));
  } catch (error) {
    process.exitCode = reportFailure(error);
  }
}

function reportFailure(error: unknown): ExitCode {
  const { message, stack } = error as Error;
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
