/** A log as a provider gets it, kept as a list for a test to read. */
import type { Logger } from 'plugboard/sdk';

export interface LogEntry {
  readonly level: string;
  readonly members: Readonly<Record<string, unknown>>;
  readonly message: string;
}

export interface LogEntries extends Logger {
  readonly entries: readonly LogEntry[];
  /** The messages of a level. */
  at(level: string): string[];
}

export function logEntries(): LogEntries {
  const entries: LogEntry[] = [];
  const write =
    (level: string) =>
    (first: unknown, second?: unknown): void => {
      if (typeof first === 'string') entries.push({ level, members: {}, message: first });
      else entries.push({ level, members: first as LogEntry['members'], message: String(second) });
    };
  return {
    entries,
    at: (level) => entries.filter((entry) => entry.level === level).map(({ message }) => message),
    trace: write('trace'),
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    fatal: write('fatal'),
  };
}
