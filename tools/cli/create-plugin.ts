/** `plugboard create-plugin`: the example plugin of the docs under another name, ready for its own first test. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { UserError } from '../../kernel/sdk/plugin/command.js';
import { makeFolder } from '../../kernel/sdk/folder.js';
import { builtins } from '../../plugins/index.js';
import { filesBelow } from '../files-below.js';
import type { ExitCode } from './exit-code.js';
import { packageRoot, packageVersion } from './package-root.js';
import { parseWords } from './words.js';

const TEMPLATE = join(packageRoot, 'docs/example-plugin');
const PAGE = join(packageRoot, 'docs/example-page');

export function createPluginCommand(words: readonly string[]): ExitCode {
  const { positionals, values } = parseWords(words, { options: { page: { type: 'boolean' } }, most: 2 });
  const [name, folder = name] = positionals;
  if (name === undefined || folder === undefined || !/^[a-z][a-z0-9-]*$/.test(name)) {
    throw new UserError(
      'a plugin needs a name of lower case letters, digits and dashes: plugboard create-plugin guestbook',
    );
  }
  if (Object.hasOwn(builtins.plugins, name) || Object.hasOwn(builtins.providers, name))
    throw new UserError(`"${name}" is the name of a part of the server; give the plugin another`);
  const target = resolve(folder);
  if (existsSync(target))
    throw new UserError(
      `${folder} is already there; give another folder: plugboard create-plugin ${name} FOLDER`,
    );
  makeFolder(target);
  const hasPage = values.page === true;
  for (const file of filesBelow(TEMPLATE)) {
    const text = renamed(readFileSync(join(TEMPLATE, file), 'utf8'), name);
    const whole = hasPage ? withPage(text, file) : text;
    const to = join(target, renamed(file, name));
    makeFolder(dirname(to));
    writeFileSync(to, file === 'package.json' ? withPlugboard(whole, target) : whole);
  }
  if (hasPage) {
    makeFolder(join(target, 'page'));
    for (const [file, to] of [
      ['page.ts', 'page.ts'],
      ['guestbook.js', `page/${name}.js`],
    ] as const)
      writeFileSync(join(target, to), renamed(readFileSync(join(PAGE, file), 'utf8'), name));
  }
  writeFileSync(join(target, '.gitignore'), 'node_modules/\ndist/\ndata/\n');
  console.log(
    `${folder}: a plugin in TypeScript, with a config, three routes, a scope, a stored collection, a token and a test${hasPage ? ', and a page for the console' : ''}\n\n` +
      `  cd ${folder} && npm install && npm test\n\n` +
      `Then name it in a config:\n\n  plugins:\n    ${name}: { use: ${relative(process.cwd(), target).startsWith('..') ? target : `./${relative(process.cwd(), target)}`}/dist/index.js }`,
  );
  return 0;
}

/** The example writes its name in three forms only, so that any name fits: guestbook, Guestbook, GUESTBOOK. */
function renamed(text: string, name: string): string {
  const words = name.split('-');
  const pascal = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  return text
    .replaceAll('GUESTBOOK', words.join('_').toUpperCase())
    .replaceAll('Guestbook', pascal)
    .replaceAll('guestbook', name);
}

/** The plugin returns its page, the package ships it, and the server of `npm start` shows it. */
function withPage(text: string, file: string): string {
  if (file === 'package.json') return text.replace('"dist",', '"dist",\n    "page",');
  if (file === 'plugboard.yaml')
    return text.replace(
      'plugins:',
      'plugins:\n  # Shows the page: http://127.0.0.1:8080/console\n  console:',
    );
  if (file !== 'index.ts') return text;
  return text
    .replace('import { routes }', "import { page } from './page.js';\nimport { routes }")
    .replace('routes: (app) =>', 'pages: [page], routes: (app) =>');
}

/** What the scripts of the plugin run, and the server that it is tested in. */
function withPlugboard(text: string, target: string): string {
  const manifest = JSON.parse(text) as Record<string, unknown>;
  const devDependencies = {
    '@types/node': '^20.19.0',
    oxlint: '^1.89.0',
    plugboard: plugboardFor(target),
    typescript: '>=5.8',
  };
  return `${JSON.stringify({ ...manifest, devDependencies }, null, 2)}\n`;
}

/** The version that a project has installed from a registry; else the file or the copy that this command is of. */
function plugboardFor(target: string): string {
  const project = resolve(packageRoot, '../..');
  if (join(project, 'node_modules/plugboard') !== packageRoot) return `file:${relative(target, packageRoot)}`;
  const file = installedFile(project);
  return file === undefined ? `^${packageVersion()}` : `file:${relative(target, resolve(project, file))}`;
}

/** The path in a project's folder that npm installed this package from; undefined for one of a registry. */
function installedFile(project: string): string | undefined {
  const installed = join(project, 'node_modules/.package-lock.json');
  if (!existsSync(installed)) return undefined;
  const { packages } = JSON.parse(readFileSync(installed, 'utf8')) as {
    packages?: Record<string, { resolved?: string }>;
  };
  const resolved = packages?.['node_modules/plugboard']?.resolved ?? '';
  return resolved.startsWith('file:') ? resolved.slice('file:'.length) : undefined;
}
