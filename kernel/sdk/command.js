/** A mistake of the person at the command line: printed as one line, exit code 2. */
export class UserError extends Error {
    name = 'UserError';
    userError = true;
}
//# sourceMappingURL=command.js.map