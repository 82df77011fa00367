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
  /** Aborted by the first SIGINT or SIGTERM. */
  readonly signal: AbortSignal;
}

export interface Command {
  /** One or two words: `keys create`. */
  readonly name: string;
  readonly summary: string;
  /** The arguments after the name: `NAME [FILE]`, `NAME...`. Too few or too many are refused before `run`. Default: none. */
  readonly usage?: string;
  readonly examples?: readonly string[];
  readonly options?: Readonly<Record<string, CommandOption>>;
  /** Throw a `UserError` for a mistake of the user (exit code 2); any other error exits with 1. */
  run(call: CommandCall): void | Promise<void>;
}

/** A mistake of the person at the command line: printed as one line, exit code 2. */
export class UserError extends Error {
  override readonly name = 'UserError';
  readonly userError = true;
}
