/** Commands that plugins contribute: they run in the server that uses the store, else in one that does not listen. */
import { Writable } from 'node:stream';
import { BootError } from '../../kernel/boot/boot-error.js';
import { connectToServer } from './command-socket/connect.js';
import { storeFolder } from './command-socket/address.js';
import type { CommandDescription } from './command-socket/frames.js';
import { commandHelp, findCommand, runCommand, type CommandStreams } from './commands.js';
import { suggest } from '../../kernel/sdk/suggest.js';
import { createLog } from '../../kernel/boot/log.js';
import type { Plan } from '../../kernel/boot/plan/prepare.js';
import { isUserError, UserError, type Command } from '../../kernel/sdk/plugin/command.js';
import type { ExitCode } from './exit-code.js';
import { findConfig, planOrFail, type ConfigFiles } from './config.js';
import { EVERY_COMMAND } from './help.js';
import { scratchOf } from './scratch.js';

export async function runContributed(words: readonly string[], own: readonly string[]): Promise<ExitCode> {
  const { config, rest } = takeConfig(words);
  const { plan, names } = await planOrFail(config);
  const asksHelp = rest.includes('--help') || rest.includes('-h');
  const alone = aloneOf(plan);
  const isAlone = findCommand(alone.commands, rest) !== undefined;
  const host = isAlone ? alone : await hostOrFault(plan, rest, asksHelp);
  if (host === undefined) return 1;
  try {
    const commands = host === alone ? alone.commands : [...host.commands, ...alone.commands];
    const found = findCommand(commands, rest);
    // `plugboard help --config FILE` asks for all of them.
    const isAll = asksHelp && rest[0]?.startsWith('-') === true;
    const group = isAll ? commands : commands.filter(({ name }) => name.startsWith(`${rest[0]} `));
    if (found === undefined) {
      if (!asksHelp || group.length === 0) throw new UserError(unknownCommand(rest, commands, own, names));
      console.log(helpOf(group));
      return 0;
    }
    if (asksHelp) {
      console.log(helpOf([found.command]));
      return 0;
    }
    const abort = new AbortController();
    process.once('SIGINT', () => abort.abort());
    process.once('SIGTERM', () => abort.abort());
    const { stdin, stdout, stderr } = process;
    await host.run(found.command.name, found.rest, {
      stdin,
      stdout,
      stderr,
      signal: abort.signal,
      cwd: process.cwd(),
    });
    return 0;
  } finally {
    await host.close();
  }
}

function helpOf(commands: readonly CommandDescription[]): string {
  return [...commands.map(commandHelp), EVERY_COMMAND].join('\n\n');
}

/** Where commands run. */
interface Host {
  readonly commands: readonly CommandDescription[];
  run(name: string, words: readonly string[], streams: CommandStreams): Promise<void>;
  close(): Promise<unknown> | void;
}

/** Undefined: the set-up failed with the fault that the command checks for, which has been printed. */
async function hostOrFault(
  plan: Plan,
  words: readonly string[],
  asksHelp: boolean,
): Promise<Host | undefined> {
  try {
    return await findHost(plan, words, asksHelp);
  } catch (error) {
    const cause = error instanceof BootError ? error.cause : undefined;
    if (!isUserError(cause) || (cause as UserError).foundBy !== words.slice(0, 2).join(' ')) throw error;
    console.error((cause as UserError).message);
    return undefined;
  }
}

async function findHost(plan: Plan, words: readonly string[], asksHelp: boolean): Promise<Host> {
  const folder = storeFolder(plan);
  const running = folder === undefined ? undefined : await connectToServer(folder);
  if (running !== undefined) return running;
  if (asksHelp) return helpHost(plan, words);
  try {
    return await ownHost(plan, words);
  } catch (error) {
    // A server that was starting has the store by now.
    const late =
      folder === undefined || !(error instanceof BootError) ? undefined : await connectToServer(folder);
    if (late === undefined) throw error;
    return late;
  }
}

/**
 * Lists commands without making a store. Only for the commands of a database itself (`data ...`) is it connected to,
 * and then nothing but the store is set up.
 */
async function helpHost(plan: Plan, words: readonly string[]): Promise<Host> {
  const scratch = await scratchOf(plan);
  // The first-start message would be about the scratch store.
  const nowhere = new Writable({ write: (_piece, _encoding, done) => done() });
  try {
    const isOfDatabase = words[0] === 'data' && scratch.standsIn;
    const host = await ownHost(isOfDatabase ? plan : scratch.plan, words, nowhere);
    // The replacement store has commands that the database lacks.
    const isOwn = ({ name }: CommandDescription): boolean =>
      isOfDatabase || !scratch.standsIn || !name.startsWith('data ');
    const close = async (): Promise<void> => {
      await host.close();
      await scratch.remove();
    };
    return { ...host, commands: host.commands.filter(isOwn), close };
  } catch (error) {
    await scratch.remove();
    throw error;
  }
}

/** Commands that need no server at all. */
function aloneOf({ instances, baseDir }: Plan): Host {
  const commands = instances.flatMap(
    ({ definition, config }) => definition.standalone?.({ config, baseDir }) ?? [],
  );
  return { commands, run: runOf(commands), close: () => undefined };
}

function runOf(commands: readonly Command[]): Host['run'] {
  return async (name, words, streams) => {
    const command = commands.find((one) => one.name === name);
    if (command !== undefined) await runCommand(command, words, streams);
  };
}

/** A server that is set up, and neither starts nor listens. */
async function ownHost(
  plan: Plan,
  words: readonly string[],
  stdout: Writable = process.stderr,
): Promise<Host> {
  // With a running server this would be a good part of the command's time.
  const { Kernel } = await import('../../kernel/boot/kernel.js');
  // Standard output is the command's; the log shows warnings only.
  const log = await createLog({ level: 'warn', format: 'text', secrets: plan.secrets }, process.stderr);
  const kernel = new Kernel(plan, { log, stdout });
  await kernel.setup((known) => isOfStore(words, known));
  const commands = kernel.commands();
  return { commands, run: runOf(commands), close: () => kernel.stop() };
}

/**
 * `data ...` works on the store as it is: it does not wait for the plugins that use the store, which may write in their
 * set-up, so that a new store would no longer be empty.
 */
function isOfStore(words: readonly string[], known: readonly CommandDescription[]): boolean {
  const [first, second = '-'] = words;
  if (first !== 'data') return false;
  return second.startsWith('-')
    ? known.some(({ name }) => name.startsWith('data '))
    : findCommand(known, words) !== undefined;
}

/** `words` as typed; `own` are the commands of the server itself. */
function unknownCommand(
  words: readonly string[],
  contributed: readonly CommandDescription[],
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
  return Array.from(byFirst, ([first, rest]) =>
    rest.includes('')
      ? [first, ...rest.filter(Boolean).map((word) => `${first} ${word}`)].join(', ')
      : `${first} ${rest.join('|')}`,
  ).join(', ');
}

/** `--config FILE` or `--config=FILE`, and `--env-file` likewise, anywhere and as often as needed. */
function takeConfig(words: readonly string[]): { config: ConfigFiles; rest: string[] } {
  const taken: Record<'config' | 'env-file', string[]> = { config: [], 'env-file': [] };
  const rest: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const [, name, , value] = /^--(config|env-file)(=(.*))?$/s.exec(word) ?? [];
    if (name !== 'config' && name !== 'env-file') {
      rest.push(word);
      continue;
    }
    const file = value ?? words[(at += 1)];
    if (file === undefined) throw new UserError(`--${name} needs a file`);
    taken[name].push(file);
  }
  return { config: findConfig(taken.config, taken), rest };
}
