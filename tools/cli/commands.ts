/** Plugins' commands: found by their words, their options parsed, run. */
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { isUserError, UserError, type Command, type CommandCall } from '../../kernel/sdk/plugin/command.js';

export type CommandStreams = Pick<CommandCall, 'stdin' | 'stdout' | 'stderr' | 'signal' | 'cwd'>;

/** The command with the longest name that the words start with, and the words after it. */
export function findCommand<C extends Pick<Command, 'name'>>(
  commands: readonly C[],
  words: readonly string[],
): { command: C; rest: readonly string[] } | undefined {
  const [command] = commands
    .filter(({ name }) => name.split(' ').every((word, at) => words[at] === word))
    .toSorted((a, b) => b.name.length - a.name.length);
  return command && { command, rest: words.slice(command.name.split(' ').length) };
}

/** Throws a `UserError` for unknown options, and for arguments that the usage does not name. */
export async function runCommand(
  command: Command,
  words: readonly string[],
  streams: CommandStreams,
): Promise<void> {
  const { args, options } = parseWords(command, words);
  await command.run({ args, options, ...streams });
}

function parseWords(command: Command, words: readonly string[]): Pick<CommandCall, 'args' | 'options'> {
  try {
    // Node ignores our additional members, which are for the help.
    const options = (command.options ?? {}) as NonNullable<ParseArgsConfig['options']>;
    const parsed = parseArgs({ args: [...words], options, allowPositionals: true, strict: true });
    return { args: checkedArguments(command, parsed.positionals), options: parsed.values };
  } catch (error) {
    throw new UserError(`${wordProblem(error as Error)}\n\n${commandHelp(command)}`, { cause: error });
  }
}

/** `usage` is `NAME [FILE]`: arguments in brackets are optional, further ones are refused. */
function checkedArguments({ usage = '' }: Command, args: readonly string[]): readonly string[] {
  const named = usage.split(' ').filter((name) => name !== '');
  const missing = named.filter((name) => !name.startsWith('[')).at(args.length);
  if (missing !== undefined) throw new UserError(`${missing} is missing`);
  const surplus = usage.includes('...') ? undefined : args[named.length];
  if (surplus !== undefined) throw new UserError(`unexpected argument "${surplus}"`);
  return args;
}

/** Node's `parseArgs` begins with a capital and ends with advice to programmers. */
export function wordProblem(error: Error): string {
  const [sentence = ''] = error.message.split('. ');
  return isUserError(error) ? error.message : sentence.charAt(0).toLowerCase() + sentence.slice(1);
}

export function commandHelp({
  name,
  usage,
  summary,
  options = {},
  examples = [],
}: Omit<Command, 'run'>): string {
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
