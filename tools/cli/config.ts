/** Finding and preparing the config file of a command. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { renderProblems, type Problem } from '../../kernel/config/problem.js';
import { readConfig, type ConfigSource } from '../../kernel/config/read.js';
import { prepare, type Prepared } from '../../kernel/prepare.js';
import { UserError } from '../../kernel/sdk/command.js';
import { builtins } from '../../plugins/index.js';

/** The file given; else `PLUGBOARD_CONFIG`; else plugboard.yaml here; else the default that comes with the server. */
export function findConfig(given: string | undefined): string {
  const named = given ?? process.env['PLUGBOARD_CONFIG'];
  if (named !== undefined) return resolve(named);
  const here = resolve('plugboard.yaml');
  return existsSync(here) ? here : join(packageRoot, 'config/default.yaml');
}

/** The folder of package.json: this file is compiled to dist/tools/cli. */
export const packageRoot = resolve(import.meta.dirname, '../../..');

export async function prepareFile(file: string): Promise<Prepared & { readonly source: ConfigSource }> {
  const { source, problems } = readConfig(relative(process.cwd(), file) || file, readText(file));
  if (problems.some(({ severity }) => severity === 'error')) return { source, problems, expanded: new Set() };
  const prepared = await prepare({ source, builtins, env: process.env, baseDir: dirname(file) });
  return { ...prepared, source, problems: [...problems, ...prepared.problems] };
}

/** The plan, or a `UserError` that shows every problem. Warnings go to standard error. */
export async function planOrFail(file: string) {
  const prepared = await prepareFile(file);
  const { plan, problems, source } = prepared;
  if (plan === undefined) throw new UserError(showProblems(problems, source));
  if (problems.length > 0) console.error(showProblems(problems, source));
  return { ...prepared, plan };
}

export function showProblems(problems: readonly Problem[], source: ConfigSource): string {
  return renderProblems(problems, source, process.stderr.isTTY && process.env['NO_COLOR'] === undefined);
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UserError(
      `cannot read ${file}: ${code === 'ENOENT' ? 'there is no such file' : (code ?? 'error')}`,
    );
  }
}
