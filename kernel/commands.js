/** Plugins' commands: found by their words, their options parsed, run. */
import { parseArgs } from 'node:util';
import { UserError } from './sdk/command.js';
/** The command with the longest name that the words start with, and the words behind it. */
export function findCommand(commands, words) {
    const [command] = commands
        .filter(({ name }) => name.split(' ').every((word, at) => words[at] === word))
        .toSorted((a, b) => b.name.length - a.name.length);
    return command && { command, rest: words.slice(command.name.split(' ').length) };
}
/** Throws a `UserError` for options that the command does not know. */
export async function runCommand(command, words, streams) {
    let parsed;
    try {
        const options = Object.fromEntries(Object.entries(command.options ?? {}).map(([name, { type, short, multiple, default: fallback }]) => [
            name,
            {
                type,
                ...(short && { short }),
                ...(multiple && { multiple }),
                ...(fallback !== undefined && { default: fallback }),
            },
        ]));
        parsed = parseArgs({ args: [...words], options, allowPositionals: true, strict: true });
    }
    catch (error) {
        throw new UserError(`${lowerFirst(error.message)}\n${commandHelp(command)}`);
    }
    await command.run({ args: parsed.positionals, options: parsed.values, ...streams });
}
export function commandHelp({ name, usage, summary, options = {}, examples = [] }) {
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
function lowerFirst(text) {
    return text.charAt(0).toLowerCase() + text.slice(1);
}
//# sourceMappingURL=commands.js.map