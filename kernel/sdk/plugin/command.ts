/** Commands that a plugin adds to the command line, e.g. `plugboard keys create`. */
import type { Writable } from 'node:stream';

export interface CommandOption {
  readonly type: 'string' | 'boolean';
  readonly short?: string;
  readonly multiple?: boolean;
  readonly default?: string | boolean | string[];
  /** What the value is, for the help: `--scope NAME`. */
  readonly value?: string;
  readonly summary: string;
}

export interface CommandCall {
  /** The words after the command's name, without options. */
  readonly args: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;
  readonly stdin: NodeJS.ReadableStream;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** Aborted by the first SIGINT or SIGTERM, and when the server that runs the command stops. */
  readonly signal: AbortSignal;
  /** The user's working directory: resolve paths against it, as the command may run in another process. */
  readonly cwd: string;
}

export interface Command {
  /** One or two words: `keys create`. */
  readonly name: string;
  readonly summary: string;
  /** The arguments after the name: `NAME [FILE]`, `NAME...`. Too few or too many fail before `run`. Default: none. */
  readonly usage?: string;
  readonly examples?: readonly string[];
  readonly options?: Readonly<Record<string, CommandOption>>;
  /** The command changes nothing: it leaves no record in the audit log. */
  readonly readOnly?: boolean;
  /** Throw a `UserError` for a mistake of the user (exit code 2); any other error exits with 1. */
  run(call: CommandCall): void | Promise<void>;
}

/** A user's mistake on the command line: printed as one line, exit code 2. */
export class UserError extends Error {
  override readonly name = 'UserError';
  readonly userError = true;
  /** The command that checks for this fault: if its set-up fails with it, that is its result, with exit code 1. */
  readonly foundBy?: string;
}

/** Checks a brand instead of instanceof, so errors of another copy of the SDK count too. */
export function isUserError(value: unknown): boolean {
  return (value as { userError?: unknown } | null | undefined)?.userError === true;
}
