/** The words after one of the server's own commands. */
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { UserError } from '../../kernel/sdk/plugin/command.js';

type Options = NonNullable<ParseArgsConfig['options']>;
type Parsed<O extends Options> = ReturnType<typeof parseArgs<{ options: O; allowPositionals: true }>>;

/** A word that the command does not take. */
export class WordError extends UserError {}

/** At most `most` words that are not options. Throws for any other, and for an option that is not in `options`. */
export function parseWords<O extends Options>(
  words: readonly string[],
  { options, most }: { readonly options: O; readonly most: number },
): Parsed<O> {
  const parsed = parseArgs({ args: [...words], options, allowPositionals: true as const });
  const surplus = parsed.positionals[most];
  if (surplus !== undefined) throw new WordError(`unexpected argument "${surplus}"`);
  return parsed;
}
