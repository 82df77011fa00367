/** Mistakes on the command line. */
import { text } from 'node:stream/consumers';
import { type CommandCall, isServiceError, UserError } from 'plugboard/sdk';

/** `name` as in the command's usage, which is checked before the command runs; blank counts as missing. */
export function oneArgument({ args: [argument = ''] }: CommandCall, name: string): string {
  if (argument.trim() === '') throw new UserError(`${name} is blank`);
  return argument;
}

/** A client error over HTTP is a user error here. */
export async function asUserErrors(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (isServiceError(error) && error.status < 500) throw new UserError(error.message, { cause: error });
    throw error;
  }
}

/** The first line of standard input, so that passwords stay out of shell histories and process lists. */
export async function readPassword({ stdin }: CommandCall): Promise<string> {
  const [password = ''] = (await text(stdin)).split(/\r?\n/);
  if (password.length < 12)
    throw new UserError('the password on standard input must have at least 12 characters');
  return password;
}
