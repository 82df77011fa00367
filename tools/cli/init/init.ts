/** `plugboard init`: a first config, which starts as it is written. */
import { randomBytes } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { UserError } from '../../../kernel/sdk/plugin/command.js';
import { makeFolder } from '../../../kernel/sdk/folder.js';
import { configFileSchema } from '../config-schema.js';
import type { ExitCode } from '../exit-code.js';
import { knownPlugins } from '../known.js';
import { packageRoot } from '../package-root.js';
import { parseWords } from '../words.js';
import { servicesOf, STORES, storeOf, type Answers } from './answers.js';
import { initialFiles, type InitialFile } from './files.js';
import { Questions, type Terminal } from './questions.js';
import { findUpstreams, type FoundUpstream } from './upstreams.js';

const OPTIONS = {
  services: { type: 'string' },
  store: { type: 'string' },
  'no-upstreams': { type: 'boolean' },
  yes: { type: 'boolean', short: 'y' },
} as const;

interface Surroundings {
  /** Absent without a terminal. */
  readonly terminal?: Terminal;
  readonly env: NodeJS.ProcessEnv;
}

/** Answers that no option gives are asked for at the terminal. */
export async function initCommand(
  words: readonly string[],
  { terminal, env }: Surroundings = surroundings(),
): Promise<ExitCode> {
  const { values, positionals } = parseWords(words, { options: OPTIONS, most: 1 });
  const [folder = '.'] = positionals;
  const target = resolve(folder);
  if (existsSync(join(target, 'plugboard.yaml')))
    throw new UserError(`there is a plugboard.yaml in ${target}; name another folder: plugboard init FOLDER`);
  const known = await knownPlugins();
  const given = {
    services: values.services === undefined ? undefined : servicesOf(values.services, known.builtins),
    store: values.store === undefined ? undefined : storeOf(values.store),
    upstreams: values['no-upstreams'] === true ? [] : undefined,
  };
  const questions = values.yes === true || terminal === undefined ? undefined : new Questions(terminal);
  try {
    const found = given.upstreams ?? (await findUpstreams(env));
    const answers = await answersOf(given, found, known.builtins, questions);
    const schema = schemaBeside(target);
    const files = initialFiles(answers, {
      schema: schema ?? './plugboard.schema.json',
      sealKey: randomBytes(32).toString('base64'),
    });
    const schemaText = `${JSON.stringify(configFileSchema(known), null, 2)}\n`;
    const written = write(target, [
      ...files,
      ...(schema === undefined ? [{ name: 'plugboard.schema.json', text: schemaText }] : []),
    ]);
    console.log(told(folder, written, answers));
  } finally {
    questions?.close();
  }
  return 0;
}

function surroundings(): Surroundings {
  const { stdin: input, stdout: output, env } = process;
  return input.isTTY ? { terminal: { input, output }, env } : { env };
}

async function answersOf(
  given: { readonly [Key in keyof Answers]: Answers[Key] | undefined },
  found: readonly FoundUpstream[],
  known: Parameters<typeof servicesOf>[1],
  questions: Questions | undefined,
): Promise<Answers> {
  const readServices = (text: string): string[] => servicesOf(text, known);
  const names = Object.keys(known).join(', ');
  const services =
    given.services ??
    (await questions?.ask(`Which services (all, or names with commas: ${names})?`, 'all', readServices)) ??
    readServices('all');
  const store =
    given.store ??
    (await questions?.ask(`Which store (${STORES.join(', ')})?`, 'embedded', storeOf)) ??
    'embedded';
  const used = services.includes('router') ? found : [];
  const upstreams = questions === undefined ? used : await questions.confirmUpstreams(used);
  return { services, store, upstreams };
}

/** The schema in the installed package; undefined if the package is not in this folder's node_modules. */
function schemaBeside(target: string): string | undefined {
  const installed = join(target, 'node_modules/plugboard/config/plugboard.schema.json');
  return existsSync(installed) ? `./${relative(target, installed)}` : undefined;
}

/** An existing file is kept: `wx` also fails if another process was faster. */
function write(target: string, files: readonly InitialFile[]): string[] {
  makeFolder(target);
  return files.flatMap(({ name, text, secret }) => {
    try {
      writeFileSync(join(target, name), text, { flag: 'wx', mode: secret === true ? 0o600 : 0o644 });
      return [name];
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return [];
      throw error;
    }
  });
}

function told(folder: string, written: readonly string[], { store, services, upstreams }: Answers): string {
  const enter = folder === '.' ? '' : `cd ${folder} && `;
  const isInstalled = !existsSync(join(packageRoot, '.git'));
  const command = isInstalled ? 'npx plugboard' : `node ${join(packageRoot, 'dist/tools/plugboard.js')}`;
  const models = upstreams.map(({ name }) => name).join(', ');
  return [
    `written: ${written.join(', ')}`,
    ...(services.includes('router')
      ? [`models: ${models === '' ? 'none found; see plugboard.yaml' : models}`]
      : []),
    ...(store === 'mongodb' ? ['the address of MongoDB is in .env: change it to yours'] : []),
    '',
    `  ${enter}${command} run${store === 'mongodb' ? ' --env-file .env' : ''}`,
  ].join('\n');
}
