/** Mistakes at the command line. */
import { text } from 'node:stream/consumers';
import { UserError } from '../../../sdk/command.js';
import { isServiceError } from '../../../sdk/errors.js';
/** `name` as in the command's usage. */
export function oneArgument({ args }, name) {
    const [argument, ...rest] = args;
    if (argument === undefined || argument === '')
        throw new UserError(`${name} is missing`);
    if (rest.length > 0)
        throw new UserError(`there is more than ${name}: ${rest.join(' ')}`);
    return argument;
}
/** What would be the client's error over HTTP is the user's mistake here. */
export async function asUserErrors(work) {
    try {
        await work();
    }
    catch (error) {
        if (isServiceError(error) && error.status < 500)
            throw new UserError(error.message, { cause: error });
        throw error;
    }
}
/** The first line of standard input, so that a password stands in no shell history and no process list. */
export async function readPassword({ stdin }) {
    const [password = ''] = (await text(stdin)).split(/\r?\n/);
    if (password.length < 8)
        throw new UserError('the password on standard input must have at least 8 characters');
    return password;
}
//# sourceMappingURL=usage.js.map