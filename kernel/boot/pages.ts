/** Checks the pages that a plugin returned against the contract and prepares them for serving. */
import { statSync } from 'node:fs';
import { dirname, isAbsolute, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unknownKey } from '../config/expected.js';
import type { InstalledPage, Page } from '../sdk/plugin/pages.js';

/** The version of the page contract that this server's console supports. */
const CONSOLE = 1;

/** The scope of pages that no scope of a plugin covers. */
const MANAGE = 'manage';

const KEYS: readonly string[] = [
  'console',
  'css',
  'group',
  'id',
  'module',
  'scope',
  'title',
] satisfies (keyof Page)[];

interface Owner {
  readonly id: string;
  readonly prefix: string;
  /** The names of the scopes that the plugin declares. */
  readonly scopes: readonly string[];
}

/** Throws an error whose message says which page is wrong, and why. */
export function installPages(returned: unknown, owner: Owner): InstalledPage[] {
  if (returned === undefined) return [];
  if (!Array.isArray(returned))
    throw new Error(`setup returned "pages" as ${typeof returned}; it must be an array`);
  const pages = returned.map((page: unknown, at) => installPage(page, at, owner));
  const twice = pages.find(({ id }, at) => pages.findIndex((page) => page.id === id) !== at);
  if (twice !== undefined) throw new Error(`setup returned two pages with the id "${twice.id}"`);
  return pages;
}

function installPage(value: unknown, at: number, owner: Owner): InstalledPage {
  const page = (typeof value === 'object' ? (value ?? {}) : {}) as Record<string, unknown>;
  const name = typeof page['id'] === 'string' ? `the page "${page['id']}"` : `pages[${at}]`;
  const fail = (problem: string): never => {
    throw new Error(`${name} ${problem}`);
  };
  const text = (key: keyof Page): string => {
    const part = page[key];
    if (typeof part === 'string' && part.trim() !== '' && part.length <= 100) return part;
    return fail(`must have a "${key}", 1 to 100 characters`);
  };
  const { console: wanted } = page;
  if (wanted !== CONSOLE)
    fail(
      wanted === undefined
        ? `must say for which version of the console it is made: console: ${CONSOLE}`
        : `is made for version ${JSON.stringify(wanted)} of the console, and this server has version ${CONSOLE}`,
    );
  const misspelled = Object.keys(page).find((key) => !KEYS.includes(key));
  if (misspelled !== undefined) fail(`has an ${unknownKey(misspelled, KEYS)}`);
  const id = text('id');
  if (!/^[a-z][a-z0-9-]*$/.test(id)) fail('has an id that is not lower case letters, digits and dashes');
  const scope = page['scope'] === null ? null : text('scope');
  const allowed = [...owner.scopes, MANAGE];
  if (scope !== null && !allowed.includes(scope))
    fail(`has the scope "${scope}", which the plugin does not declare (allowed: ${allowed.join(', ')})`);
  const module = fileOf(page['module'], 'module', /\.m?js$/, fail);
  const { css = [] } = page;
  if (!Array.isArray(css)) return fail('has "css" that is not an array of files');
  const sheets = css.map((file: unknown) => fileOf(file, 'css', /\.css$/, fail));
  const stray = sheets.find((file) => !file.startsWith(dirname(module) + sep));
  if (stray !== undefined) fail(`has a style sheet outside the folder of its module: ${stray}`);
  const { id: plugin, prefix } = owner;
  return { plugin, prefix, id, title: text('title'), group: text('group'), scope, module, css: sheets };
}

function fileOf(
  value: unknown,
  key: 'module' | 'css',
  name: RegExp,
  fail: (problem: string) => never,
): string {
  const text = value instanceof URL ? value.href : value;
  const file = typeof text === 'string' && text.startsWith('file:///') ? fileURLToPath(text) : text;
  if (typeof file !== 'string' || !isAbsolute(file) || !name.test(file))
    return fail(
      `must have a "${key}" that is a ${key === 'css' ? '.css' : '.js or .mjs'} file: new URL('./page.${key === 'css' ? 'css' : 'js'}', import.meta.url)`,
    );
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true)
    fail(`names a "${key}" that is not there: ${file}`);
  return file;
}
