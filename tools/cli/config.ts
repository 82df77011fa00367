/** Finding and preparing the config of a command: one file, or several that make one config. */
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join, relative, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { mergeConfigs } from '../../kernel/config/merge.js';
import type { Position, Problem } from '../../kernel/config/problem.js';
import { readConfig, type ConfigSource } from '../../kernel/config/read.js';
import { prepare, type Prepared } from '../../kernel/boot/plan/prepare.js';
import { UserError } from '../../kernel/sdk/plugin/command.js';
import { builtins } from '../../plugins/index.js';
import { packageRoot } from './package-root.js';
import { renderProblems } from './problems.js';

export interface ConfigFiles {
  /** Absolute. Paths in all of them start at the folder of the first. */
  readonly files: readonly [string, ...string[]];
  /** Absolute. Variables of the environment override theirs. */
  readonly envFiles: readonly string[];
  /** Default variables: those of the default config, which must not keep data in its own folder. */
  readonly defaults: Readonly<Record<string, string>>;
}

export const CONFIG_OPTIONS = { 'env-file': { type: 'string', multiple: true } } as const;

/**
 * The files given; else those in `PLUGBOARD_CONFIG`; else plugboard.yaml here; else the default that comes with the
 * server, with its data in this folder.
 */
export function findConfig(
  given: readonly string[],
  { 'env-file': envFiles = [] }: { readonly 'env-file'?: readonly string[] | undefined } = {},
): ConfigFiles {
  const named = given.length > 0 ? given : (process.env['PLUGBOARD_CONFIG'] ?? '').split(delimiter);
  const [first, ...others] = named.filter((name) => name !== '').map((name) => resolve(name));
  const found = { envFiles: envFiles.map((name) => resolve(name)), defaults: {} };
  if (first !== undefined) return { ...found, files: [first, ...others] };
  const here = resolve('plugboard.yaml');
  if (existsSync(here)) return { ...found, files: [here] };
  const defaults = { PLUGBOARD_DATA: resolve('data') };
  return { ...found, files: [join(packageRoot, 'config/default.yaml')], defaults };
}

export interface PreparedFiles extends Prepared {
  readonly source: ConfigSource;
  /** As the user knows them. */
  readonly names: string;
}

export async function prepareFiles(config: ConfigFiles): Promise<PreparedFiles> {
  const { source, problems, env, baseDir } = readFiles(config);
  const names = config.files.map(shown).join(', ');
  if (problems.some(({ severity }) => severity === 'error'))
    return { source, names, problems, secrets: source.secrets([]) };
  const prepared = await prepare({ source, builtins, env, baseDir });
  return { ...prepared, source, names, problems: [...problems, ...prepared.problems] };
}

export interface ReadFiles {
  readonly source: ConfigSource;
  /** Of the text: syntax, indentation, duplicate keys. */
  readonly problems: readonly Problem[];
  readonly env: NodeJS.ProcessEnv;
  /** Where relative paths start. */
  readonly baseDir: string;
}

export function readFiles({ files, envFiles, defaults }: ConfigFiles): ReadFiles {
  const read = files.map((file) => readConfig(shown(file), readText(file)));
  const [first, ...others] = read.map((one) => one.source);
  if (first === undefined) throw new Error('a config has one file at least');
  const variables = envFiles.map((file) => parseEnv(readText(file)) as Record<string, string>);
  return {
    source: mergeConfigs([first, ...others]),
    problems: read.flatMap((one) => one.problems),
    env: Object.assign({}, defaults, ...variables, process.env) as NodeJS.ProcessEnv,
    baseDir: dirname(files[0]),
  };
}

/** The plan, or a `UserError` that shows every problem. Warnings go to standard error. */
export async function planOrFail(config: ConfigFiles) {
  const prepared = await prepareFiles(config);
  const { plan, problems } = prepared;
  if (plan === undefined) throw new UserError(showProblems(prepared));
  if (problems.length > 0) console.error(showProblems(prepared));
  return { ...prepared, plan };
}

export function showProblems({
  problems,
  source,
  secrets,
}: {
  readonly problems: readonly Problem[];
  readonly source: ConfigSource;
  readonly secrets: readonly Position[];
}): string {
  const color = process.stderr.isTTY && process.env['NO_COLOR'] === undefined;
  return renderProblems(problems, source, { color, secrets });
}

function shown(file: string): string {
  return relative(process.cwd(), file) || file;
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
