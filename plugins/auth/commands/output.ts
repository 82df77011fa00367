/** Output of commands: JSON for programs, a table or lines for people. */
import type { CommandCall, CommandOption } from 'plugboard/sdk';

export const JSON_OPTION: Readonly<Record<'json', CommandOption>> = {
  json: { type: 'boolean', summary: 'print JSON' },
};

/** `lines` are for people, `value` is for programs (`--json`). */
export function print({ options, stdout }: CommandCall, value: unknown, lines: readonly string[]): void {
  stdout.write(options['json'] === true ? `${JSON.stringify(value)}\n` : `${lines.join('\n')}\n`);
}

/** Columns as wide as their longest cell, two spaces apart. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = head.map((title, at) =>
    Math.max(title.length, ...rows.map((row) => (row[at] ?? '').length)),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd();
  return [line(head), ...rows.map(line)];
}

/** `2026-11-21 09:30`, in UTC; a dash for none. */
export function minute(time: Date | null): string {
  return time === null ? '-' : time.toISOString().slice(0, 16).replace('T', ' ');
}
