/** Mistakes at the command line. */
import { text } from 'node:stream/consumers';
import { type CommandCall, isServiceError, UserError } from 'plugboard/sdk';

/** `name` as in the command's usage, which is checked before the command runs; a blank text counts as missing. */
export function oneArgument({ args: [argument = ''] }: CommandCall, name: string): string {
  if (argument.trim() === '') throw new UserError(`${name} is blank`);
  return argument;
}

/** What would be the client's error over HTTP is the user's mistake here. */
export async function asUserErrors(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (isServiceError(error) && error.status < 500) throw new UserError(error.message, { cause: error });
    throw error;
  }
}

/** The first line of standard input, so that a password stands in no shell history and no process list. */
export async function readPassword({ stdin }: CommandCall): Promise<string> {
  const [password = ''] = (await text(stdin)).split(/\r?\n/);
  if (password.length < 12)
    throw new UserError('the password on standard input must have at least 12 characters');
  return password;
}
