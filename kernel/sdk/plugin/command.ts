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
  /** What stands after the command's name, options taken out. */
  readonly args: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;
  readonly stdin: NodeJS.ReadableStream;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** Aborted by the first SIGINT or SIGTERM, and when the server stops in which the command runs. */
  readonly signal: AbortSignal;
  /** The folder in which the command was typed: resolve paths against it. The command may run in another process. */
  readonly cwd: string;
}

export interface Command {
  /** One or two words: `keys create`. */
  readonly name: string;
  readonly summary: string;
  /** The arguments after the name: `NAME [FILE]`, `NAME...`. Too few or too many are refused before `run`. Default: none. */
  readonly usage?: string;
  readonly examples?: readonly string[];
  readonly options?: Readonly<Record<string, CommandOption>>;
  /** The command changes nothing: it leaves no record in the audit log. */
  readonly readOnly?: boolean;
  /** Throw a `UserError` for a mistake of the user (exit code 2); any other error exits with 1. */
  run(call: CommandCall): void | Promise<void>;
}

/** A mistake of the person at the command line: printed as one line, exit code 2. */
export class UserError extends Error {
  override readonly name = 'UserError';
  readonly userError = true;
  /** The command that looks for this very fault: when it cannot even be set up, the fault is what it says, and its exit code is 1. */
  readonly foundBy?: string;
}

/** By brand and not by instanceof, so that an error of another copy of the SDK is one too. */
export function isUserError(value: unknown): boolean {
  return (value as { userError?: unknown } | null | undefined)?.userError === true;
}
