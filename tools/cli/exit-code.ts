/** Exit codes: 0 success, 2 a mistake of the user, 1 our fault. */
export type ExitCode = 0 | 1 | 2;
