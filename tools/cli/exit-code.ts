/** Exit codes: 0 well, 2 a mistake of the user, 1 a fault of ours. */
export type ExitCode = 0 | 1 | 2;
