/** Plugins' commands: found by their words, their options parsed, run. */
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { UserError, type Command, type CommandCall } from './sdk/command.js';

export type CommandStreams = Pick<CommandCall, 'stdin' | 'stdout' | 'stderr' | 'signal'>;

/** The command with the longest name that the words start with, and the words behind it. */
export function findCommand(
  commands: readonly Command[],
  words: readonly string[],
): { command: Command; rest: readonly string[] } | undefined {
  const [command] = commands
    .filter(({ name }) => name.split(' ').every((word, at) => words[at] === word))
    .toSorted((a, b) => b.name.length - a.name.length);
  return command && { command, rest: words.slice(command.name.split(' ').length) };
}

/** Throws a `UserError` for options that the command does not know. */
export async function runCommand(
  command: Command,
  words: readonly string[],
  streams: CommandStreams,
): Promise<void> {
  let parsed;
  try {
    // What our options say beyond those of Node, for the help, Node passes over.
    const options = (command.options ?? {}) as NonNullable<ParseArgsConfig['options']>;
    parsed = parseArgs({ args: [...words], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UserError(`${lowerFirst((error as Error).message)}\n${commandHelp(command)}`);
  }
  await command.run({ args: parsed.positionals, options: parsed.values, ...streams });
}

export function commandHelp({ name, usage, summary, options = {}, examples = [] }: Command): string {
  const lines = Object.entries(options).map(([option, { value, short, summary: what }]) => {
    const left = `${short === undefined ? '' : `-${short}, `}--${option}${value === undefined ? '' : ` ${value}`}`;
    return `  ${left.padEnd(24)} ${what}`;
  });
  return [
    `plugboard ${name}${usage === undefined ? '' : ` ${usage}`}`,
    `  ${summary}`,
    ...(lines.length === 0 ? [] : ['', ...lines]),
    ...(examples.length === 0 ? [] : ['', 'Examples:', ...examples.map((example) => `  ${example}`)]),
  ].join('\n');
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
