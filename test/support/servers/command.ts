/** A command line in this process: a process of its own takes a second, and is the point of few tests. */
import type { TestContext } from 'node:test';
import { main } from '../../../tools/cli/main.js';

export interface Ended {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs `plugboard WORDS` in the folder, with these variables. What it prints by `console` is caught; what it writes to
 * standard output itself is not, as the test's own report goes there.
 */
export async function command(
  t: TestContext,
  words: readonly string[],
  { folder, env = {} }: { readonly folder: string; readonly env?: Readonly<Record<string, string>> },
): Promise<Ended> {
  const before = { folder: process.cwd(), env: process.env };
  const out = t.mock.method(console, 'log', () => undefined);
  const err = t.mock.method(console, 'error', () => undefined);
  const textOf = ({ mock: { calls } }: typeof out): string =>
    calls.map(({ arguments: [text] }) => `${String(text)}\n`).join('');
  process.chdir(folder);
  process.env = { ...before.env, ...env };
  try {
    const status = await main(words);
    return { status, stdout: textOf(out), stderr: textOf(err) };
  } finally {
    process.chdir(before.folder);
    process.env = before.env;
    out.mock.restore();
    err.mock.restore();
  }
}
